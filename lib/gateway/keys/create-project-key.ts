import type { Effects } from "../ports/effects";
import type { KeyStore, ProjectKeyRecord } from "./key-store";
import type { Keyring } from "./keyring";
import { type NewProjectKey, newProjectKey } from "./new-project-key";

/** Creates a project's key. `value` is the whole key: nothing keeps it, so it can be shown only now. */
export async function createProjectKey(
  { keys, keyring, effects }: { keys: KeyStore; keyring: Keyring; effects: Effects },
  draft: NewProjectKey,
): Promise<{ key: ProjectKeyRecord; value: string }> {
  const created = newProjectKey(effects, draft);
  await keys.insertProjectKey(created.key);
  keyring.putProjectKey(created.key);
  return created;
}
