import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Clock } from "../effects";
import type { SecretVersion } from "./sign-callback";
import type { TaskCallbackStore } from "./task-callback-store";

export interface SecretContext extends ChangeContext {
  readonly taskCallbacks: TaskCallbackStore;
  readonly effects: { readonly clock: Clock };
}

/** Gives a project a new secret to sign with. The one before signs too for 24 hours, so that receivers can change in between. */
export function rotateCallbackSecret(
  context: SecretContext,
  request: ChangeRequest,
  projectId: string,
): Promise<SecretVersion> {
  const { taskCallbacks, effects } = context;
  return change(context, request, async (transaction) => {
    const { version } = await taskCallbacks.findSecret(projectId);
    const rotated = { version: version + 1, rotatedAtMs: effects.clock.nowMs() };
    await taskCallbacks.saveSecret(transaction, projectId, rotated);
    return rotated;
  });
}
