import type { Operation } from "@/lib/contract/operation";
import { authenticate, findPresentCaller } from "../access/authenticate";
import { authorize } from "../access/authorize";
import type { Caller } from "../access/caller";
import type { ChangeRequestContext } from "../access/change-request";
import { findChargedProject } from "../access/find-named-project";
import { refuseModelOutsideScope } from "../access/key-scope";
import type { RequestHeaders } from "../incoming-request";
import type { ModelPermissionCache } from "../projects/model-permissions";
import { unauthenticated } from "../refusal";
import { modelNotAllowed } from "./find-allowed-model";
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
 * Refuses a call whose maker lost access: while it waits for its body, its idempotency key or its hold, and while it is
 * answered. The line of a batch has no token, and goes on with a key that was rotated.
 * @param model that it calls; absent while its body is unread.
 * @throws Refusal 400 for a project that was archived, 401, 403 or 404.
 */
export function refuseEndedAccess(
  context: ChangeRequestContext & { readonly modelPermissionCache: Pick<ModelPermissionCache, "allows"> },
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
  const projectId = findChargedProject(context.projectCache, acting, headers);
  if (model === undefined) return;
  refuseModelOutsideScope(acting.scope, model);
  if (!context.modelPermissionCache.allows(projectId, model)) throw modelNotAllowed(model);
}
