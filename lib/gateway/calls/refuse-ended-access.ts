import type { Operation } from "@/lib/contract/operation";
import {
  type AuthenticationContext,
  authenticate,
  findCallerByKeyId,
  findPresentCaller,
} from "../access/authenticate";
import { authorize } from "../access/authorize";
import type { Caller } from "../access/caller";
import type { RequestHeaders } from "../incoming-request";
import { unauthenticated } from "../refusal";

/** Who makes a call of a model. */
export interface CallMaker {
  readonly operation: Operation;
  readonly headers: RequestHeaders;
  readonly sender: Caller;
  /** The sender, or what they run as. */
  readonly caller: Caller;
  /** Whether the caller is another key than the sender. */
  readonly isRunAs: boolean;
  /** The batch whose line it is; absent for a live call. */
  readonly batchId?: string | undefined;
}

/**
 * Refuses a call whose maker lost access while it waited, for its body, its idempotency key or its hold: what ends the
 * calls of a key knows only those that are being answered. The line of a batch has no token, and goes on with a key
 * that was rotated.
 * @throws Refusal 401 or 403.
 */
export function refuseEndedAccess(context: AuthenticationContext, maker: CallMaker): void {
  const { operation, headers, sender, caller, isRunAs, batchId } = maker;
  const present =
    batchId === undefined ? authenticate(context, headers) : findPresentCaller(context, sender.keyId);
  if (!present) throw unauthenticated();
  authorize(operation, present, {}, headers.get("openai-project"));
  if (isRunAs && !findCallerByKeyId(context, caller.keyId)) throw unauthenticated();
}
