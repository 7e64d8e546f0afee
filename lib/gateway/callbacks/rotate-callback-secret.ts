import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Clock } from "../effects";
import { Refusal } from "../refusal";
import type { SecretVersion } from "./sign-callback";
import type { TaskCallbackStore } from "./task-callback-store";

export interface SecretContext extends ChangeContext {
  readonly taskCallbacks: TaskCallbackStore;
  readonly effects: { readonly clock: Clock };
}

/**
 * Gives a project a new signing secret. The previous one keeps signing for 24 hours, so that receivers can switch.
 * @throws Refusal 412 where the secret to be replaced is not the present one.
 */
export function rotateCallbackSecret(
  context: SecretContext,
  request: ChangeRequest,
  { projectId, replaces }: { readonly projectId: string; readonly replaces: number },
): Promise<SecretVersion> {
  const { taskCallbacks, effects } = context;
  return change(context, request, async (transaction) => {
    const { version } = await taskCallbacks.findSecret(projectId);
    if (version !== replaces) throw alreadyReplaced(version);
    const rotated = { version: version + 1, rotatedAtMs: effects.clock.nowMs() };
    await taskCallbacks.saveSecret(transaction, projectId, rotated);
    return rotated;
  });
}

function alreadyReplaced(version: number): Refusal {
  const message = `The present secret is number ${version}. Retrieve it, and name it in replaces if it is the one to replace.`;
  return new Refusal(412, "conflict_error", "stale_version", message, { param: "replaces" });
}
