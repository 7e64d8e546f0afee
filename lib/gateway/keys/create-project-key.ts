import { newId } from "@/lib/contract/ids";
import type { ProjectApiKeyDraft } from "@/lib/contract/operations/project-api-keys";
import { newSecretKey } from "@/lib/contract/secret-keys";
import type { Effects } from "../ports/effects";
import { hashSecret } from "../ports/hash";
import type { KeyStore, ProjectKeyRecord } from "./key-store";
import type { Keyring } from "./keyring";

/** Creates a project's key. `value` is the whole key: nothing keeps it, so it can be shown only now. */
export async function createProjectKey(
  { keys, keyring, effects }: { keys: KeyStore; keyring: Keyring; effects: Effects },
  projectId: string,
  draft: ProjectApiKeyDraft,
): Promise<{ key: ProjectKeyRecord; value: string }> {
  const value = newSecretKey("gk_live_", effects.random);
  const createdAtMs = effects.clock.nowMs();
  const key = {
    id: newId("key", createdAtMs, effects.random),
    projectId,
    name: draft.name,
    hash: hashSecret(value),
    lastFour: value.slice(-4),
    createdAtMs,
  };
  await keys.insertProjectKey(key);
  keyring.addProjectKey(key);
  return { key, value };
}
