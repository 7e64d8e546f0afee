import type * as z from "zod/mini";
import type { Operation, PathParameters } from "@/lib/contract/operation";
import type { OperationId, operations } from "@/lib/contract/operation-table";
import type { Caller } from "../access/caller";
import type { CallOperationId } from "../calls/call-kinds";
import type { ChangeRequest } from "../changes/change";
import type { RequestContext } from "../http/server";
import type { RequestHeaders } from "../request-headers";

type Table = typeof operations;
type OperationQuery<O> = O extends Operation<z.ZodMiniType, infer Query> ? z.output<Query> : never;
type OperationBody<O> = O extends Operation<infer Body> ? z.output<Body> : never;
type OperationReply<O> =
  O extends Operation<z.ZodMiniType, z.ZodMiniType, infer Reply> ? z.input<Reply> : never;

/** One authorized request, parsed by its operation's schemas. */
export interface Input<Id extends OperationId> {
  readonly params: Readonly<Record<PathParameters<Table[Id]["path"]>, string>>;
  readonly query: OperationQuery<Table[Id]>;
  readonly body: OperationBody<Table[Id]>;
  readonly caller: Caller;
  /** The change request to pass to `change`. */
  readonly request: ChangeRequest;
  readonly headers: RequestHeaders;
  /** The client's IP address; null if it is not known. */
  readonly address: string | null;
  /** Aborted once the client has gone. */
  readonly signal: AbortSignal;
}

/** Returns the operation's reply object. Throws a Refusal to refuse. */
type Handler<Id extends OperationId> = (input: Input<Id>) => Promise<OperationReply<Table[Id]>>;

/** The operations that read the request's body and write the reply themselves, including its `x-request-id`. */
type RawOperationId =
  | CallOperationId
  | "countMessageTokens"
  | "connectResponses"
  | "countResponseTokens"
  | "previewChatCompletion"
  | "retrieveVideoContent"
  | "retrieveConversationAnswer"
  | "streamTaskEvents"
  | "retrieveTaskOutput"
  | "streamOwnTaskEvents"
  | "retrieveOwnTaskOutput"
  | "uploadFile"
  | "retrieveFileContent";

/** Answers an authorized request: reads the body and writes the reply itself. */
export type RawHandler = (
  requestContext: RequestContext,
  caller: Caller,
  params: Readonly<Record<string, string>>,
) => Promise<Response>;

type PlainOperationId = Exclude<OperationId, RawOperationId>;
export type Handlers<Ids extends PlainOperationId = PlainOperationId> = { readonly [Id in Ids]: Handler<Id> };
export type RawHandlers = Readonly<Record<RawOperationId, RawHandler>>;

/**
 * Reads that clients may follow as events: each yields changes, and undefined from time to time if nothing changed.
 */
export type EventHandlers = {
  readonly [Id in "listLimitUsage"]: (input: Input<Id>, signal: AbortSignal) => AsyncIterator<unknown>;
};

/** Operations that are open to everyone have no caller, so their handlers must not use it. */
export type AnyHandler = (input: AnyInput) => Promise<unknown>;
export type AnyInput = Input<never>;
