import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { Clock } from "../../effects";
import { conflict, Refusal } from "../../refusal";
import { listRecentRotations, type SecretVersion } from "./sign-callback";
import type { TaskCallbackStore } from "./task-callback-store";

/** The maximum number of replaced secrets that still sign. Every callback carries a signature of each. */
const MAX_REPLACED = 4;

export interface SecretContext extends ChangeContext {
  readonly taskCallbacks: TaskCallbackStore;
  readonly effects: { readonly clock: Clock };
}

/**
 * Gives a project a new signing secret. Each replaced one keeps signing for 24 hours, so that receivers can switch.
 * @throws Refusal 412 if the secret to replace is no longer the present one, 409 if too many replaced ones still sign.
 */
export function rotateCallbackSecret(
  context: SecretContext,
  request: ChangeRequest,
  { projectId, replaces }: { readonly projectId: string; readonly replaces: number },
): Promise<SecretVersion> {
  const { taskCallbacks, effects } = context;
  return change(context, request, async (transaction) => {
    const current = await taskCallbacks.findSecret(projectId);
    if (current.version !== replaces) throw alreadyReplaced(current.version);
    const nowMs = effects.clock.nowMs();
    const recent = listRecentRotations(current, nowMs);
    if (recent.length >= MAX_REPLACED) throw rotatedTooOften();
    const rotatedSecret = { version: current.version + 1, rotationsMs: [nowMs, ...recent] };
    await taskCallbacks.saveSecret(transaction, projectId, rotatedSecret);
    return rotatedSecret;
  });
}

function alreadyReplaced(version: number): Refusal {
  const message = `The present secret is number ${version}. Retrieve it, and name it in replaces if it is the one to replace.`;
  return new Refusal(412, "conflict_error", "stale_version", message, { param: "replaces" });
}

function rotatedTooOften(): Refusal {
  const message = `The secret was replaced ${MAX_REPLACED} times within 24 hours, and each replaced secret signs for that long. Replace it again once the first of them has ended.`;
  return conflict("replaces", message, "limit_reached");
}
