import { type ChangeRequest, change } from "../changes/change";
import { conflict } from "../refusal";
import type { Actor } from "../roles/actor";
import type { KeyContext } from "./change-project-key";
import { findProjectKey, type KeyPath, refuseStrongerKey } from "./find-project-key";
import { isExpired } from "./key-mirror";
import type { KeyCreator, ProjectKeyRecord } from "./key-store";
import { type CreatedProjectKey, newProjectKey } from "./new-project-key";

/**
 * Replaces a key by a new one with the same permissions. The old key expires after an overlap, or at once if there is
 * none. The new key gets the whole lifetime of a key that would expire.
 * @throws Refusal 404; 403 for a key with more permissions than the actor; 409 for one that has expired.
 */
export function rotateProjectKey(
  context: KeyContext,
  request: ChangeRequest,
  actor: Actor,
  keyPath: KeyPath,
  { overlapSeconds, creator }: { overlapSeconds: number; creator: KeyCreator },
): Promise<CreatedProjectKey> {
  const { keys, graph, effects } = context;
  return change(context, request, async (transaction) => {
    const old = await findProjectKey(keys, keyPath);
    refuseStrongerKey(graph, actor, old);
    const nowMs = effects.clock.nowMs();
    if (isExpired(old, nowMs)) {
      throw conflict("key_id", `The key "${old.name}" has expired. Create another one.`, "key_expired");
    }
    const { id, projectId, serviceAccount, name, scope, expiresAtMs } = old;
    const lifetimeSeconds = await findLifetime(keys, old);
    const replacedAtOnce = overlapSeconds === 0;
    const draft = { projectId, serviceAccount, name, lifetimeSeconds, scope, creator, rotatedFrom: id };
    // The store tells by the equal times that this rotation revoked the old key.
    const key = newProjectKey(effects, { ...draft, replacedAtOnce, createdAtMs: nowMs });
    await keys.insertProjectKey(transaction, key.key);
    if (replacedAtOnce) {
      await keys.revokeProjectKey(transaction, id, nowMs);
    } else {
      const endsAtMs = Math.min(nowMs + overlapSeconds * 1000, expiresAtMs ?? Number.POSITIVE_INFINITY);
      await keys.updateProjectKey(transaction, { ...old, expiresAtMs: endsAtMs });
    }
    return key;
  });
}

/** Returns the seconds of a key's life; null if it does not expire. A rotated key ends with its overlap. */
async function findLifetime(
  keys: KeyContext["keys"],
  { id, createdAtMs, expiresAtMs }: ProjectKeyRecord,
): Promise<number | null> {
  if (expiresAtMs === null) return null;
  const successor = await keys.findSuccessor(id);
  return successor ? findLifetime(keys, successor) : Math.ceil((expiresAtMs - createdAtMs) / 1000);
}
