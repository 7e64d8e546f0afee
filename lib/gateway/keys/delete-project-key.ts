import type { Effects } from "../ports/effects";
import { notFound } from "../ports/refusal";
import type { KeyStore } from "./key-store";
import type { Keyring } from "./keyring";

/** Revokes a project's key: from this moment no call is answered with it. @throws Refusal 404. */
export async function deleteProjectKey(
  { keys, keyring, effects }: { keys: KeyStore; keyring: Keyring; effects: Effects },
  projectId: string,
  id: string,
): Promise<void> {
  const hash = await keys.revokeProjectKey(projectId, id, effects.clock.nowMs());
  if (hash === null) throw notFound("key", id, "key_id");
  keyring.remove(hash);
}
