import { ownerRole } from "@/lib/contract/predefined-roles";
import type { Effects } from "../ports/effects";
import { conflict } from "../ports/refusal";
import type { AdminKeyRecord, KeyStore } from "./key-store";
import type { Keyring } from "./keyring";

/**
 * Revokes an admin key and, with it, its sessions and sign-in links: from this moment nothing is answered for them.
 * @throws Refusal 409 for the last key that holds Owner and does not expire: without it nobody could grant Owner again.
 */
export async function deleteAdminKey(
  { keys, keyring, effects }: { keys: KeyStore; keyring: Keyring; effects: Effects },
  key: AdminKeyRecord,
): Promise<void> {
  if (isLastingOwner(key)) {
    const others = (await keys.adminKeysWith(ownerRole.id)).filter(({ id }) => id !== key.id);
    if (!others.some(isLastingOwner)) {
      const message = `"${key.name}" is the last key that holds Owner and doesn't expire. Create another one first.`;
      throw conflict("key_id", message, "last_owner");
    }
  }
  await keys.revokeAdminKey(key.id, effects.clock.nowMs());
  keyring.remove(key.hash);
}

function isLastingOwner({ roleId, expiresAtMs }: AdminKeyRecord): boolean {
  return roleId === ownerRole.id && expiresAtMs === null;
}
