import type { Caller } from "../auth/caller";
import type { Exchange } from "../http/exchange";
import type { CallRequest } from "./call-request";
import type { TakenKey } from "./calls-under-way";

/** A chat request whose caller may make it. */
export interface CompletionCall {
  readonly exchange: Pick<Exchange, "requestId" | "clientSignal" | "streamBegins" | "streamEnds">;
  readonly caller: Pick<Caller, "id" | "keyId" | "permissionsIn">;
  /** The project that pays. */
  readonly projectId: string;
  readonly request: CallRequest;
  /** Where it came with an idempotency key. */
  readonly takenKey?: TakenKey;
}
