import type { KeyEndpoint } from "@/lib/contract/access/key-scopes";
import type { ServiceAccountRole } from "@/lib/contract/operations/keys/service-accounts";
import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";

export interface ServiceAccountRecord {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly role: ServiceAccountRole;
  readonly createdAtMs: number;
}

/** A key's limits beyond its role; null is no limit. */
export interface KeyScope {
  readonly models: readonly string[] | null;
  readonly endpoints: readonly KeyEndpoint[] | null;
}

/** The creator of a key, with the name they had then. */
export interface KeyCreator {
  readonly kind: "user" | "admin_api_key" | "project_api_key";
  readonly id: string;
  readonly name: string;
}

/** A project's key as it is stored, with its hash instead of the key. */
export interface ProjectKeyRecord {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly hash: string;
  readonly lastFour: string;
  readonly createdAtMs: number;
  /** Null for a key that does not expire. */
  readonly expiresAtMs: number | null;
  /** The account that the key belongs to; null for a key of the project itself. */
  readonly serviceAccount: ServiceAccountRecord | null;
  readonly scope: KeyScope;
  /** Null for a key from before creators were recorded. */
  readonly creator: KeyCreator | null;
  /** The key that it replaced by rotation; null for none. */
  readonly rotatedFrom: string | null;
  /** Whether the rotation revoked that key at once, without an overlap. */
  readonly replacedAtOnce: boolean;
}

/** A key that its rotation revoked at once, and the key that took its place, even a revoked one. */
export interface ReplacedKey {
  readonly id: string;
  readonly successorId: string;
}

export interface AdminKeyRecord {
  readonly id: string;
  readonly name: string;
  readonly roleId: string;
  readonly hash: string;
  readonly lastFour: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
}

export type WithLastUse<Key> = Key & { readonly lastUsedAtMs: number | null };

/** A key that was found by its hash. */
export type FoundKey = { readonly revokedAtMs: number | null } & (
  | { readonly kind: "project_key"; readonly key: WithLastUse<ProjectKeyRecord> }
  | { readonly kind: "admin_key"; readonly key: WithLastUse<AdminKeyRecord> }
);

export interface KeyStore {
  /** All keys that are not revoked. */
  listActive(): Promise<{ projectKeys: ProjectKeyRecord[]; adminKeys: AdminKeyRecord[] }>;
  listReplaced(): Promise<ReplacedKey[]>;
  /** Null if there is no such active key. */
  findActiveProjectKey(id: string): Promise<ProjectKeyRecord | null>;
  findActiveAdminKey(id: string): Promise<AdminKeyRecord | null>;
  /** The active keys of a service account. */
  listActiveByAccount(serviceAccountId: string): Promise<ProjectKeyRecord[]>;
  /** A project's active keys, newest first, with the time of their last logged request. */
  projectKeyPages(projectId: string): PagedList<WithLastUse<ProjectKeyRecord>>;
  /** The active admin keys, oldest first, with the time of their last recorded use. */
  adminKeyPages(): PagedList<WithLastUse<AdminKeyRecord>>;
  /**
   * The active admin keys that hold the role, or any role, sorted by role; `id` joins the role's and the key's id with
   * `:organization:`.
   */
  roleHolderPages(
    roleId: string | undefined,
  ): PagedList<{ readonly id: string; readonly key: AdminKeyRecord }>;
  /** The active admin keys that hold a role, oldest first. */
  adminKeysWith(roleId: string): Promise<AdminKeyRecord[]>;
  /** An active key; null if there is none. */
  findProjectKey(id: string): Promise<WithLastUse<ProjectKeyRecord> | null>;
  /** The first key that replaced this one by rotation, even a revoked one; null if there is none. */
  findSuccessor(id: string): Promise<ProjectKeyRecord | null>;
  findAdminKey(id: string): Promise<WithLastUse<AdminKeyRecord> | null>;
  insertProjectKey(transaction: Transaction, key: ProjectKeyRecord): Promise<void>;
  insertAdminKey(transaction: Transaction, key: AdminKeyRecord): Promise<void>;
  /** A key by its hash, even a revoked one; null if it never existed. */
  findByHash(hash: string): Promise<FoundKey | null>;
  /** Saves a key's name, its scope and the time it expires. */
  updateProjectKey(transaction: Transaction, key: ProjectKeyRecord): Promise<void>;
  revokeProjectKey(transaction: Transaction, id: string, atMs: number): Promise<void>;
  /** Revokes an admin key and ends its sessions and sign-in links, together. */
  revokeAdminKey(transaction: Transaction, id: string, atMs: number): Promise<void>;
  /** Records in the transaction's audit event that a call was made as the key. */
  noteRunAs(transaction: Transaction, key: Pick<ProjectKeyRecord, "id" | "projectId">): Promise<void>;
  noteAdminKeyUse(transaction: Transaction, id: string, atMs: number): Promise<void>;
}
