import type { Operation } from "@/lib/contract/operation";
import { authenticate, findPresentCaller } from "../access/authenticate";
import { authorize } from "../access/authorize";
import type { Caller } from "../access/caller";
import type { ChangeRequestContext } from "../access/change-request";
import { findChargedProject } from "../access/find-named-project";
import { refuseModelOutsideScope } from "../access/key-scope";
import type { RequestHeaders } from "../incoming-request";
import { unauthenticated } from "../refusal";
import { findRunAsKey } from "./run-as";

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
 * @param model that it calls; absent while its body is unread.
 * @throws Refusal 400 for a project that was archived, 401, 403 or 404.
 */
export function refuseEndedAccess(
  context: ChangeRequestContext,
  maker: CallMaker,
  model: string | undefined,
): void {
  const { operation, headers, sender, caller, isRunAs, batchId } = maker;
  const present =
    batchId === undefined ? authenticate(context, headers) : findPresentCaller(context, sender.keyId);
  if (!present) throw unauthenticated();
  authorize(operation, present, {}, headers.get("openai-project"));
  const acting = isRunAs
    ? findRunAsKey(context, present, headers, { id: caller.keyId, operation }).keyCaller
    : present;
  findChargedProject(context.projectMirror, acting, headers);
  if (model !== undefined) refuseModelOutsideScope(acting.scope, model);
}
