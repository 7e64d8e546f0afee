import type { ProjectApiKeyChange } from "@/lib/contract/operations/project-api-keys";
import type { Effects } from "../ports/effects";
import { conflict } from "../ports/refusal";
import type { KeyStore, ProjectKeyRecord } from "./key-store";
import { isExpired, type Keyring } from "./keyring";

/** Changes a key's name, or lets it expire so many seconds from now. @throws Refusal 409 for a key that has expired. */
export async function changeProjectKey(
  { keys, keyring, effects }: { keys: KeyStore; keyring: Keyring; effects: Effects },
  before: ProjectKeyRecord,
  { name = before.name, expires_in_seconds: lifetimeSeconds }: ProjectApiKeyChange,
): Promise<ProjectKeyRecord> {
  const nowMs = effects.clock.nowMs();
  if (isExpired(before, nowMs)) {
    throw conflict("key_id", `The key "${before.name}" has expired. Create another one.`, "key_expired");
  }
  const expiresAtMs = lifetimeSeconds === undefined ? before.expiresAtMs : nowMs + lifetimeSeconds * 1000;
  const key = { ...before, name, expiresAtMs };
  await keys.updateProjectKey(key);
  keyring.putProjectKey(key);
  return key;
}
