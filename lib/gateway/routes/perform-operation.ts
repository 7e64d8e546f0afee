import type { Operation } from "@/lib/contract/operation";
import { findRetrieveOperation, operationTable } from "@/lib/contract/operation-table";
import { RUN_AS_HEADER } from "@/lib/contract/operations/calls/completions";
import type { AuthenticationContext } from "../access/authenticate";
import { authorize, followAccess } from "../access/authorize";
import { answerEvents } from "../http/answer-events";
import type { OpenStreams } from "../http/open-streams";
import { noSniffing } from "../http/refuse";
import { respondWithJson } from "../http/response";
import { invalid, Refusal } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import { type CreateOnceContext, createOnce } from "./create-once";
import { type ExportColumn, findListedItem, listExportColumns } from "./export-columns";
import { chooseExportFormat, exportList, type ListExport } from "./export-list";
import type { AnyHandler, AnyInput, EventHandlers, Handlers } from "./handler";
import { type ChangedObject, refuseStale } from "./refuse-stale";
import { createVersionStamp, findEntityTag } from "./stamp-versions";

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
    return answerWith(await run(operation, input), requestId);
  };
}

function streamChanges(
  context: PerformContext,
  { input, requestId, clientSignal }: OperationRequest,
  follow: FollowChanges,
): Response {
  return answerEvents(follow(input, clientSignal), {
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
