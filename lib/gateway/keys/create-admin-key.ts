import { newId } from "@/lib/contract/ids";
import { newSecretKey } from "@/lib/contract/secret-keys";
import type { Effects } from "../ports/effects";
import { hashSecret } from "../secrets/hash-secret";
import type { AdminKeyRecord, KeyStore } from "./key-store";
import type { Keyring } from "./keyring";

/**
 * Creates an admin key with a role. `given` is a well-formed key to store instead of a generated one.
 * @returns the record and the whole key, which nothing keeps.
 */
export async function createAdminKey(
  { keys, keyring, effects }: { keys: KeyStore; keyring: Keyring; effects: Effects },
  draft: { name: string; roleId: string; given: string | null; lifetimeSeconds: number | null },
): Promise<{ key: AdminKeyRecord; value: string }> {
  const value = draft.given ?? newSecretKey("gk_admin_", effects.random);
  const createdAtMs = effects.clock.nowMs();
  const key = {
    id: newId("key", createdAtMs, effects.random),
    name: draft.name,
    roleId: draft.roleId,
    hash: hashSecret(value),
    lastFour: value.slice(-4),
    createdAtMs,
    expiresAtMs: draft.lifetimeSeconds === null ? null : createdAtMs + draft.lifetimeSeconds * 1000,
  };
  await keys.insertAdminKey(key);
  keyring.addAdminKey(key);
  return { key, value };
}
