import type { RequestClient } from "@/lib/contract/operations/receipt-parts";
import type { Caller } from "../access/caller";
import type { Idempotency } from "../balance/idempotency";
import type { Exchange } from "../http/exchange";
import type { BodyCapture } from "./bodies/body-capture";
import type { TakenKey } from "./calls-under-way";
import type { PreparedRequest } from "./prepared-request";

/** A chat request whose caller may make it. */
export interface IncomingCall {
  readonly exchange: Pick<Exchange, "requestId" | "clientSignal" | "streamBegins" | "streamEnds">;
  readonly caller: Pick<Caller, "id" | "keyId" | "permissionsIn" | "scope">;
  /** What its headers say of who sent it. */
  readonly client: RequestClient;
  /** The project that is charged. */
  readonly projectId: string;
  readonly request: PreparedRequest;
  /** Its idempotency key; null without the header `Idempotency-Key`. */
  readonly idempotency: Idempotency | null;
  /** The key, once this call has taken it. */
  readonly takenKey?: TakenKey;
  /** The trace that it is part of, as the header of that name; absent where nobody collects traces. */
  readonly traceparent?: string | undefined;
  /** Takes down what goes by, where the project keeps that. */
  readonly capture?: BodyCapture | undefined;
}
