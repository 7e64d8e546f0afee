import { type ChangeRequest, change } from "../changes/change";
import type { Actor } from "../roles/actor";
import type { KeyContext } from "./change-project-key";
import { changeScope, type ScopeChange, unlimited } from "./change-scope";
import { refuseStrongerKey } from "./find-project-key";
import { type CreatedProjectKey, type NewProjectKey, newProjectKey } from "./new-project-key";

/**
 * Creates a project's key. `value` is the whole key, which is not stored and can't be shown again.
 * @throws Refusal 400 for an unknown model; 403 if the key would have more permissions than the actor.
 */
export function createProjectKey(
  context: KeyContext,
  request: ChangeRequest,
  actor: Actor,
  { scope, ...draft }: Omit<NewProjectKey, "serviceAccount" | "scope"> & { scope: ScopeChange },
): Promise<CreatedProjectKey> {
  return change(context, request, async (transaction) => {
    const limited = changeScope(unlimited, scope, context.catalogue);
    const key = newProjectKey(context.effects, { ...draft, scope: limited, serviceAccount: null });
    refuseStrongerKey(context.graph, actor, key.key);
    await context.keys.insertProjectKey(transaction, key.key);
    return key;
  });
}
