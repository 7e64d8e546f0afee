import type { Operation } from "@/lib/contract/operation";
import { findRetrieveOperation, operationTable } from "@/lib/contract/operation-table";
import { RUN_AS_HEADER } from "@/lib/contract/operations/calls/completions";
import type { AuthenticationContext } from "../access/authenticate";
import { authorize, followAccess } from "../access/authorize";
import { answerEvents, type OpenStreams } from "../http/open-streams";
import { noSniffing, respondWithJson } from "../http/response";
import { createVersionStamp } from "../object-version";
import { invalid, Refusal } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import { type CreateOnceContext, createOnce } from "./create-once";
import {
  chooseExportFormat,
  type ExportColumn,
  exportList,
  findListedItem,
  type ListExport,
  listExportColumns,
} from "./export-list";
import type { AnyHandler, AnyInput, EventHandlers, Handlers } from "./handler";

export interface PerformContext extends CreateOnceContext, AuthenticationContext {
  readonly handlers: Handlers;
  readonly eventHandlers: EventHandlers;
  readonly openStreams: OpenStreams;
}

/** An authorized request for an operation, parsed by its schemas. */
interface OperationRequest {
  readonly operation: Operation;
  readonly input: AnyInput;
  readonly requestId: string;
  readonly clientSignal: AbortSignal;
}

export type PerformOperation = (request: OperationRequest) => Promise<Response>;

type Run = (operation: Operation, input: AnyInput) => Promise<unknown>;
type FollowChanges = (input: AnyInput, signal: AbortSignal) => AsyncIterator<unknown>;

/**
 * Performs operations and keeps the promises of their effects: object versions, one creation per idempotency key, and
 * no change of a version other than the one in `If-Match`.
 */
export function createPerformOperation(context: PerformContext): PerformOperation {
  const run = stampHandlers(context.handlers);
  const exportColumns = findListColumns();
  const eventHandlers = new Map<string, FollowChanges>(Object.entries(context.eventHandlers));
  return async (request) => {
    const { operation, input, requestId } = request;
    const { headers } = input;
    refuseRunAs(headers);
    const follow = wantsEvents(headers) ? eventHandlers.get(operation.id) : undefined;
    if (follow) return streamChanges(context, request, follow);
    const columns = exportColumns.get(operation.id);
    const format = columns ? chooseExportFormat(headers.get("accept")) : null;
    if (columns && format) return exportRows(context, request, run, { columns, format });
    if (operation.effect === "creates") return createObject(context, request, run);
    const retrieve = findRetrieveOperation(operation);
    if (retrieve) return changeObject(request, run, retrieve);
    const reply = await run(operation, input);
    return reply instanceof Response ? reply : answerWith(reply, requestId);
  };
}

function streamChanges(
  context: PerformContext,
  { input, requestId, clientSignal }: OperationRequest,
  follow: FollowChanges,
): Response {
  const signal = AbortSignal.any([clientSignal, context.openStreams.ending]);
  return answerEvents(follow(input, signal), {
    headers: streamHeaders(requestId),
    logFault: (error) => context.logFault(requestId, error),
    onEnd: context.openStreams.enter(input.caller),
  });
}

async function exportRows(
  context: PerformContext,
  { operation, input, requestId }: OperationRequest,
  run: Run,
  list: Pick<ListExport, "columns" | "format">,
): Promise<Response> {
  const callerNow = followAccess(context, input, operation, input.params);
  const readPage = (query: unknown) =>
    run(operation, { ...input, caller: callerNow(), query: query as never });
  const logFault = (error: unknown) => context.logFault(requestId, error);
  const onEnd = context.openStreams.enter(input.caller);
  try {
    return await exportList(
      { ...list, query: input.query, readPage, logFault, onEnd },
      streamHeaders(requestId),
    );
  } catch (error) {
    onEnd();
    throw error;
  }
}

const streamHeaders = (requestId: string) => ({
  "x-request-id": requestId,
  "cache-control": "no-store",
  ...noSniffing,
});

async function createObject(
  context: PerformContext,
  { operation, input, requestId, clientSignal }: OperationRequest,
  run: Run,
): Promise<Response> {
  const { params, body, caller, headers } = input;
  const { reply, originalRequest } = await createOnce(context, {
    key: headers.get("idempotency-key"),
    callerId: caller.id,
    requestId,
    clientSignal,
    fingerprint: [operation.id, params, body],
    create: () => run(operation, input),
  });
  return answerWith(reply, requestId, originalRequest);
}

/** Edits or deletes an object, unless it has another version than `If-Match`. */
async function changeObject(
  { operation, input, requestId }: OperationRequest,
  run: Run,
  retrieve: Operation,
): Promise<Response> {
  const { params, body, caller, headers } = input;
  const object: ChangedObject = {
    operation,
    retrieve: () => run(retrieve, { ...input, query: {} as never, body: undefined as never }),
    mayRead: () => isAllowed(() => authorize(retrieve, caller, params)),
  };
  const preconditions = { ifMatch: headers.get("if-match"), ifNoneMatch: headers.get("if-none-match") };
  const request = { ...input.request, refuseStale: () => refuseStale(preconditions, object) };
  if (operation.effect !== "edits" || !isEmpty(body)) {
    return answerWith(await run(operation, { ...input, request }), requestId);
  }
  // As with OpenAI, a body without fields changes nothing and makes no event.
  await request.refuseStale();
  return answerWith(await object.retrieve(), requestId);
}

/** Ignoring the header would bill and record the person instead of the key. */
function refuseRunAs(headers: RequestHeaders): void {
  if (headers.get(RUN_AS_HEADER) === null) return;
  throw invalid(RUN_AS_HEADER, "Only a call of a model can run as a key. Leave this header out.");
}

/** Whether the client prefers an event stream. */
function wantsEvents(headers: RequestHeaders): boolean {
  return headers.get("accept")?.trim().toLowerCase().startsWith("text/event-stream") ?? false;
}

/** Keyed by the ids of the list operations. */
function findListColumns(): ReadonlyMap<string, readonly ExportColumn[]> {
  return new Map(
    operationTable.flatMap(({ id, reply }) => {
      const item = findListedItem(reply);
      return item ? [[id, listExportColumns(item)] as const] : [];
    }),
  );
}

/** Runs an operation's handler, and fills in the versions that its reply's schema declares. */
function stampHandlers(handlers: Handlers): Run {
  const stamps = new Map(operationTable.map(({ id, reply }) => [id, createVersionStamp(reply)]));
  return async ({ id }, input) => {
    const reply = await (handlers[id as keyof Handlers] as AnyHandler)(input);
    return stamps.get(id)?.(reply) ?? reply;
  };
}

function isEmpty(body: object | undefined): boolean {
  return body !== undefined && Object.values(body).every((value) => value === undefined);
}

function isAllowed(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

function answerWith(reply: unknown, requestId: string, originalRequest: string | null = null): Response {
  const tag = findEntityTag(reply);
  return respondWithJson(reply, {
    headers: {
      "x-request-id": requestId,
      "cache-control": "no-store",
      ...noSniffing,
      ...(tag && { etag: tag }),
      ...(originalRequest && { "idempotency-replayed": "true", "original-request": originalRequest }),
    },
  });
}

/** The `ETag` of a reply; null if it has no version. */
function findEntityTag(reply: unknown): string | null {
  if (typeof reply !== "object" || reply === null || !("version" in reply)) return null;
  return typeof reply.version === "string" ? `"${reply.version}"` : null;
}

/** An object to be changed; `retrieve` returns what GET answers. */
interface ChangedObject {
  readonly operation: Pick<Operation, "effect" | "needsVersion">;
  /** Throws a Refusal 404 if there is no such object. */
  readonly retrieve: () => Promise<unknown>;
  /** Whether the caller may see what `retrieve` returns. */
  readonly mayRead: () => boolean;
}

/** The headers that say which version of an object a change is based on; null if absent. */
interface Preconditions {
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
}

const ENTITY_TAGS = /^(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)$/;

/**
 * Checks `If-Match` before a change (RFC 9110, 13.1.1): the object must still have that version. `If-None-Match: *`
 * (13.1.2) lets an operation that sets an object only create it. Without these headers any change passes, except that
 * an object which requires a version may only be created.
 * @throws Refusal 412 with the object as it is now.
 */
export async function refuseStale(
  { ifMatch, ifNoneMatch }: Preconditions,
  { operation, retrieve, mayRead }: ChangedObject,
): Promise<void> {
  const mustBeNew = ifNoneMatch !== null && operation.effect === "sets";
  if (ifMatch === null && !mustBeNew && !operation.needsVersion) return;
  if (ifMatch !== null && !ENTITY_TAGS.test(ifMatch)) {
    throw invalid("If-Match", 'If-Match must be * or quoted versions, such as "3q2-7w".');
  }
  if (mustBeNew && ifNoneMatch !== "*") throw invalid("If-None-Match", "If-None-Match must be *.");
  const current = await retrieve().catch((error) => {
    // An operation that sets an object may create it; one that edits an object may not.
    if (operation.effect === "sets" && error instanceof Refusal && error.status === 404) return null;
    throw error;
  });
  const tag = findEntityTag(current);
  if (ifMatch === null && tag === null) return;
  if (!mustBeNew && ifMatch !== null && tag !== null && (ifMatch === "*" || namesTag(ifMatch, tag))) return;
  const param = mustBeNew ? "If-None-Match" : "If-Match";
  const message =
    tag === null
      ? "This object was deleted. Reload it before you save."
      : `Somebody else has ${mustBeNew ? "made" : "changed"} this object since. Compare with \`current\` and save again with its version.`;
  const details = { param, ...(mayRead() && { current }), headers: tagHeader(tag) };
  throw new Refusal(412, "conflict_error", "stale_version", message, details);
}

/** Weak tags never match: our versions are strong tags without commas. */
function namesTag(ifMatch: string, tag: string): boolean {
  return ifMatch.split(",").some((candidate) => candidate.trim() === tag);
}

function tagHeader(tag: string | null): Record<string, string> {
  return tag === null ? {} : { etag: tag };
}
