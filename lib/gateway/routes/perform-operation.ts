import type { Operation } from "@/lib/contract/operation";
import { findRetrieveOperation, operationTable } from "@/lib/contract/operation-table";
import { RUN_AS_HEADER } from "@/lib/contract/operations/completions";
import type { AuthenticationContext } from "../access/authenticate";
import { authorize } from "../access/authorize";
import { followAccess } from "../access/follow-access";
import { answerEvents } from "../http/answer-events";
import { respondWithJson } from "../http/known-response";
import { noSniffing } from "../http/refuse";
import type { RequestHeaders } from "../incoming-request";
import { invalid, Refusal } from "../refusal";
import { type CreateOnceContext, createOnce } from "./create-once";
import { type ExportColumn, findListedItem, listExportColumns } from "./export-columns";
import { chooseExportForm, exportList } from "./export-list";
import type { AnyHandler, AnyInput, EventHandlers, Handlers } from "./handler";
import { type ChangedObject, refuseStale } from "./refuse-stale";
import { createVersionStamp, findEntityTag } from "./stamp-versions";

export interface PerformContext extends CreateOnceContext, AuthenticationContext {
  readonly handlers: Handlers;
  readonly eventHandlers: EventHandlers;
}

/** An authorized request for an operation, parsed by its schemas. */
export interface OperationRequest {
  readonly operation: Operation;
  readonly input: AnyInput;
  readonly requestId: string;
  readonly clientSignal: AbortSignal;
}

export type PerformOperation = (request: OperationRequest) => Promise<Response>;

/**
 * Performs operations and keeps the promises of their effects: object versions, one creation per idempotency key, and no
 * change of a version other than the one in `If-Match`.
 */
export function createPerformOperation(context: PerformContext): PerformOperation {
  const run = stampedHandlers(context.handlers);
  const exportColumns = findListColumns();
  const eventHandlers = new Map(Object.entries(context.eventHandlers));
  return async ({ operation, input, requestId, clientSignal }) => {
    const { params, body, caller, headers } = input;
    refuseRunAs(headers);
    const perform = () => run(operation, input);
    const follow = wantsEvents(headers) ? eventHandlers.get(operation.id) : undefined;
    if (follow) {
      return answerEvents(follow(input, clientSignal), {
        headers: { "x-request-id": requestId, "cache-control": "no-store", ...noSniffing },
        logFault: (error) => context.logFault(requestId, error),
      });
    }
    const columns = exportColumns.get(operation.id);
    const form = columns ? chooseExportForm(headers.get("accept")) : null;
    if (columns && form) {
      const callerNow = followAccess(context, input, operation, params);
      const readList = (query: unknown) =>
        run(operation, { ...input, caller: callerNow(), query: query as never });
      const logFault = (error: unknown) => context.logFault(requestId, error);
      return exportList(
        { form, query: input.query, columns, readPage: readList, logFault },
        { "x-request-id": requestId, "cache-control": "no-store", ...noSniffing },
      );
    }
    if (operation.effect === "creates") {
      const creation = { key: headers.get("idempotency-key"), callerId: caller.id, requestId, clientSignal };
      const fingerprint = [operation.id, params, body];
      const { reply, originalRequest } = await createOnce(context, {
        ...creation,
        fingerprint,
        create: perform,
      });
      return answerWith(reply, requestId, originalRequest);
    }
    const retrieve = findRetrieveOperation(operation);
    if (!retrieve) return answerWith(await perform(), requestId);
    const object: ChangedObject = {
      operation,
      retrieve: () => run(retrieve, { ...input, query: {} as never, body: undefined as never }),
      mayRead: () => isAllowed(() => authorize(retrieve, caller, params)),
    };
    const request = { ...input.request, refuseStale: () => refuseStale(headers.get("if-match"), object) };
    if (operation.effect !== "edits" || !isEmpty(body)) {
      return answerWith(await run(operation, { ...input, request }), requestId);
    }
    // As with OpenAI, a body without fields changes nothing and makes no event.
    await request.refuseStale();
    return answerWith(await object.retrieve(), requestId);
  };
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

/** By the ids of the list operations. */
function findListColumns(): ReadonlyMap<string, readonly ExportColumn[]> {
  return new Map(
    operationTable.flatMap(({ id, reply }) => {
      const item = findListedItem(reply);
      return item ? [[id, listExportColumns(item)] as const] : [];
    }),
  );
}

/** Runs an operation's handler, and fills in the versions that its reply's schema declares. */
function stampedHandlers(handlers: Handlers): (operation: Operation, input: AnyInput) => Promise<unknown> {
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
