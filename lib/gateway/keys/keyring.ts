import type { AdminKeyRecord, ProjectKeyRecord } from "./key-store";

export type ActiveKey =
  | { readonly kind: "project_key"; readonly key: ProjectKeyRecord }
  | { readonly kind: "admin_key"; readonly key: AdminKeyRecord };

/** The active keys in memory, by hash, so that a call is recognised without a look-up. Mirrors the key store. */
export class Keyring {
  readonly #byHash = new Map<string, ActiveKey>();
  readonly #adminById = new Map<string, AdminKeyRecord>();

  constructor(keys: { projectKeys: readonly ProjectKeyRecord[]; adminKeys: readonly AdminKeyRecord[] }) {
    for (const key of keys.projectKeys) this.addProjectKey(key);
    for (const key of keys.adminKeys) this.addAdminKey(key);
  }

  find(hash: string): ActiveKey | undefined {
    return this.#byHash.get(hash);
  }

  findAdminKey(id: string): AdminKeyRecord | undefined {
    return this.#adminById.get(id);
  }

  addProjectKey(key: ProjectKeyRecord): void {
    this.#byHash.set(key.hash, { kind: "project_key", key });
  }

  addAdminKey(key: AdminKeyRecord): void {
    this.#byHash.set(key.hash, { kind: "admin_key", key });
    this.#adminById.set(key.id, key);
  }

  remove(hash: string): void {
    this.#byHash.delete(hash);
  }
}
