import type { AdminKeyRecord, ProjectKeyRecord, ServiceAccountRecord } from "./key-store";

export type ActiveKey =
  | { readonly kind: "project_key"; readonly key: ProjectKeyRecord }
  | { readonly kind: "admin_key"; readonly key: AdminKeyRecord };

/** The keys that are not revoked, in memory, by hash, so that a call is recognised without a look-up. Mirrors the key store. */
export class Keyring {
  readonly #byHash = new Map<string, ActiveKey>();
  readonly #adminById = new Map<string, AdminKeyRecord>();

  /** `onRemoved` is told the id of each key that is revoked. */
  constructor(
    keys: { projectKeys: readonly ProjectKeyRecord[]; adminKeys: readonly AdminKeyRecord[] },
    private readonly onRemoved: (id: string) => void = () => {},
  ) {
    for (const key of keys.projectKeys) this.putProjectKey(key);
    for (const key of keys.adminKeys) this.addAdminKey(key);
  }

  find(hash: string, nowMs: number): ActiveKey | undefined {
    const active = this.#byHash.get(hash);
    return active && isExpired(active.key, nowMs) ? undefined : active;
  }

  findAdminKey(id: string, nowMs: number): AdminKeyRecord | undefined {
    const key = this.#adminById.get(id);
    return key && isExpired(key, nowMs) ? undefined : key;
  }

  /** Recognises a key from the next call on, as it now is. */
  putProjectKey(key: ProjectKeyRecord): void {
    this.#byHash.set(key.hash, { kind: "project_key", key });
  }

  addAdminKey(key: AdminKeyRecord): void {
    this.#byHash.set(key.hash, { kind: "admin_key", key });
    this.#adminById.set(key.id, key);
  }

  remove(hash: string): void {
    const active = this.#byHash.get(hash);
    this.#byHash.delete(hash);
    if (active?.kind === "admin_key") this.#adminById.delete(active.key.id);
    if (active) this.onRemoved(active.key.id);
  }

  /** Lets every key of a service account act as the account now is. */
  putServiceAccount(account: ServiceAccountRecord): void {
    for (const { kind, key } of this.#byHash.values()) {
      if (kind === "project_key" && key.serviceAccount?.id === account.id) {
        this.putProjectKey({ ...key, serviceAccount: account });
      }
    }
  }
}

/** From this moment on, no call is answered with the key. */
export function isExpired({ expiresAtMs }: { expiresAtMs: number | null }, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}
