import { type ChangeRequest, change } from "../changes/change";
import type { Actor } from "../roles/actor";
import type { KeyContext } from "./change-project-key";
import { findProjectKey, type KeyPath, refuseStrongerKey } from "./find-project-key";

/** Revokes a project's key with immediate effect. @throws Refusal 404, 403. */
export function deleteProjectKey(
  context: KeyContext,
  request: ChangeRequest,
  actor: Actor,
  keyPath: KeyPath,
): Promise<void> {
  const { keys, graph, effects } = context;
  return change(context, request, async (transaction) => {
    // A caller who may not revoke keys must not learn which keys exist.
    const key = await findProjectKey(keys, keyPath, (storedKey) =>
      refuseStrongerKey(graph, actor, storedKey),
    );
    await keys.revokeProjectKey(transaction, key.id, effects.clock.nowMs());
  });
}
