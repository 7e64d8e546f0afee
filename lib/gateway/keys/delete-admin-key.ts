import { ownerRole } from "@/lib/contract/access/predefined-roles";
import { type ChangeRequest, change } from "../changes/change";
import { conflict, notFound } from "../refusal";
import { type Actor, refuseLackedPermission } from "../roles/actor";
import type { AdminKeyContext } from "./create-admin-key";
import type { AdminKeyRecord, KeyStore } from "./key-store";

/**
 * Revokes an admin key with its sessions and sign-in links, with immediate effect.
 * @throws Refusal 404; 403 for a key with more permissions than the actor; 409 for the last Owner key that does not
 * expire, since nobody could grant Owner again without it.
 */
export function deleteAdminKey(
  context: AdminKeyContext,
  request: ChangeRequest,
  actor: Actor,
  id: string,
): Promise<void> {
  const { keys, graph, effects } = context;
  return change(context, request, async (transaction) => {
    const key = await keys.findAdminKey(id);
    if (!key) throw notFound("admin key", id, "key_id");
    refuseLackedPermission(actor, graph.findRole(key.roleId)?.permissions ?? [], null);
    if (isLastingOwner(key)) await refuseLastOwner(keys, key);
    await keys.revokeAdminKey(transaction, id, effects.clock.nowMs());
  });
}

async function refuseLastOwner(keys: KeyStore, { id, name }: AdminKeyRecord): Promise<void> {
  const otherOwnerKeys = (await keys.adminKeysWith(ownerRole.id)).filter((other) => other.id !== id);
  if (otherOwnerKeys.some(isLastingOwner)) return;
  const message = `"${name}" is the last key that holds Owner and doesn't expire. Create another one first.`;
  throw conflict("key_id", message, "last_owner");
}

function isLastingOwner({ roleId, expiresAtMs }: AdminKeyRecord): boolean {
  return roleId === ownerRole.id && expiresAtMs === null;
}
