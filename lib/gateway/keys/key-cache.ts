import type { TableCache } from "../changes/table-cache";
import type { AdminKeyRecord, ProjectKeyRecord, ReplacedKey } from "./key-records";
import type { KeyStore } from "./key-store.sql";

export type ActiveKey =
  | { readonly kind: "project_key"; readonly key: ProjectKeyRecord }
  | { readonly kind: "admin_key"; readonly key: AdminKeyRecord };

interface ActiveKeys {
  readonly projectKeys: readonly ProjectKeyRecord[];
  readonly adminKeys: readonly AdminKeyRecord[];
  readonly replaced?: readonly ReplacedKey[];
}

type ReadKeys = Pick<
  KeyStore,
  "listActive" | "listReplaced" | "findActiveProjectKey" | "findActiveAdminKey" | "listActiveByAccount"
>;

/** The keys that are not revoked, in memory, by hash, so that authentication needs no lookup in the store. */
export class KeyCache {
  readonly #byHash = new Map<string, ActiveKey>();
  readonly #byId = new Map<string, ActiveKey>();
  /** The ids of the keys that others were rotated to. */
  readonly #successors = new Map<string, string>();
  /** The keys that rotations revoked at once, by the ids of their successors. */
  readonly #replacedBy = new Map<string, string>();

  /** `onRemoved` is called with the id of each key that is revoked. */
  constructor(
    keys: ActiveKeys = { projectKeys: [], adminKeys: [] },
    private readonly onRemoved: (id: string) => void = () => {},
  ) {
    this.#replace(keys);
  }

  find(hash: string, nowMs: number): ActiveKey | undefined {
    const active = this.#byHash.get(hash);
    return active && isExpired(active.key, nowMs) ? undefined : active;
  }

  findById(id: string, nowMs: number): ActiveKey | undefined {
    const active = this.#byId.get(id);
    return active && isExpired(active.key, nowMs) ? undefined : active;
  }

  /** A key, or once it has expired or was replaced the one that it was rotated to, unless that was revoked. */
  findPresent(id: string, nowMs: number): ActiveKey | undefined {
    for (let at: string | undefined = id; at !== undefined; at = this.#successors.get(at)) {
      const active = this.#byId.get(at);
      if (active && !isExpired(active.key, nowMs)) return active;
      if (!active && !this.#isReplaced(at)) return undefined;
    }
    return undefined;
  }

  /** All keys that are not revoked, expired ones too, oldest first. */
  list(): ActiveKey[] {
    return [...this.#byId.values()];
  }

  findAdminKey(id: string, nowMs: number): AdminKeyRecord | undefined {
    const active = this.findById(id, nowMs);
    return active?.kind === "admin_key" ? active.key : undefined;
  }

  /** The ids of a project's key and of those it was rotated from, as far back as the first one that is revoked. */
  rotationChain(id: string): string[] {
    const line = [id];
    for (let at: string | null = id; at !== null; ) {
      const active = this.#byId.get(at);
      at = active?.kind === "project_key" ? active.key.rotatedFrom : (this.#replacedBy.get(at) ?? null);
      if (at !== null) line.push(at);
    }
    return line;
  }

  following(store: ReadKeys): TableCache {
    return {
      load: async () =>
        this.#replace({ ...(await store.listActive()), replaced: await store.listReplaced() }),
      reread: {
        project_api_keys: async ({ id }) => {
          const key = await store.findActiveProjectKey(id);
          this.#put(id, key && { kind: "project_key", key });
        },
        admin_api_keys: async ({ id }) => {
          const key = await store.findActiveAdminKey(id);
          this.#put(id, key && { kind: "admin_key", key });
        },
        // A key has the present role of its account.
        service_accounts: async ({ id }) => {
          const keys = await store.listActiveByAccount(id);
          for (const key of keys) this.#put(key.id, { kind: "project_key", key });
        },
      },
    };
  }

  #replace({ projectKeys, adminKeys, replaced = [] }: ActiveKeys): void {
    const revokedIds = new Set(this.#byId.keys());
    for (const { id, successorId } of replaced) this.#noteReplaced(id, successorId);
    for (const key of projectKeys) this.#put(key.id, { kind: "project_key", key });
    for (const key of adminKeys) this.#put(key.id, { kind: "admin_key", key });
    for (const { id } of [...projectKeys, ...adminKeys]) revokedIds.delete(id);
    for (const id of revokedIds) this.#put(id, null);
  }

  #put(id: string, active: ActiveKey | null): void {
    const existing = this.#byId.get(id);
    if (active) {
      this.#byHash.set(active.key.hash, active);
      this.#byId.set(id, active);
      const { rotatedFrom = null, replacedAtOnce = false } = active.kind === "project_key" ? active.key : {};
      if (rotatedFrom !== null && replacedAtOnce) this.#noteReplaced(rotatedFrom, id);
      else if (rotatedFrom !== null) this.#successors.set(rotatedFrom, id);
    } else if (existing) {
      this.#byHash.delete(existing.key.hash);
      this.#byId.delete(id);
      if (!this.#isReplaced(id)) this.#successors.delete(id);
      this.onRemoved(id);
    }
  }

  #noteReplaced(id: string, successorId: string): void {
    this.#successors.set(id, successorId);
    this.#replacedBy.set(successorId, id);
  }

  #isReplaced(id: string): boolean {
    const successor = this.#successors.get(id);
    return successor !== undefined && this.#replacedBy.get(successor) === id;
  }
}

/** No call is answered with the key from this moment on. */
export function isExpired({ expiresAtMs }: { expiresAtMs: number | null }, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}
