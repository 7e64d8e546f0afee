import type { CallProtocol } from "@/lib/contract/calls/provider-protocols";
import type { RequestClient } from "@/lib/contract/operations/calls/receipt-parts";
import type { Caller } from "../../access/caller";
import type { RequestContext } from "../../http/request-context";
import type { Idempotency } from "../../idempotency/idempotency";
import type { IdempotencyLock } from "../../idempotency/idempotency-locks";
import type { RequestHeaders } from "../../request-headers";
import type { BodyCapture } from "../bodies/body-capture";
import type { PreparedRequest } from "./prepared-request";

/** An authorized request that is not admitted yet. */
export interface IncomingCall<Request extends PreparedRequest = PreparedRequest> {
  readonly requestContext: Pick<RequestContext, "requestId" | "clientSignal">;
  readonly caller: Pick<Caller, "id" | "keyId" | "permissionsIn" | "scope">;
  /** Client details from its headers. */
  readonly client: RequestClient;
  /** The charged project. */
  readonly projectId: string;
  readonly request: Request;
  /** The batch whose line it is; absent for a live call. */
  readonly batchId?: string | undefined;
  /** Null without the header `Idempotency-Key`. */
  readonly idempotency: Idempotency | null;
  /** Set once this call has taken the key. */
  readonly idempotencyLock?: IdempotencyLock;
  /** The value of the header `traceparent`; absent where traces are off. */
  readonly traceparent?: string | undefined;
  /** Throws a Refusal once its maker may no longer make it. Asked after each wait. */
  refuseEndedAccess(): void;
  /** The headers of its request; absent where none are sent on. */
  readonly headers?: RequestHeaders;
  /** Called with the address of the provider whose answer follows, and its protocol. */
  noteAnswering?(baseUrl: string, protocol: CallProtocol): void;
  /** Records the bodies, where the project stores them. */
  readonly capture?: BodyCapture | undefined;
}
