import type { KeyEndpoint } from "@/lib/contract/key-scopes";
import type { ServiceAccountRole } from "@/lib/contract/operations/service-accounts";
import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";

export interface ServiceAccountRecord {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly role: ServiceAccountRole;
  readonly createdAtMs: number;
}

/** What a key is limited to, beside what its role allows; null is no limit. */
export interface KeyScope {
  readonly models: readonly string[] | null;
  readonly endpoints: readonly KeyEndpoint[] | null;
}

/** Who made a key, as they were called then. */
export interface KeyCreator {
  readonly kind: "user" | "admin_api_key" | "project_api_key";
  readonly id: string;
  readonly name: string;
}

/** A project's key as it is stored: its hash, never the key. */
export interface ProjectKeyRecord {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly hash: string;
  readonly lastFour: string;
  readonly createdAtMs: number;
  /** Null for a key that does not expire. */
  readonly expiresAtMs: number | null;
  /** The account the key belongs to; null for one made for the project itself. */
  readonly serviceAccount: ServiceAccountRecord | null;
  readonly scope: KeyScope;
  /** Null for one that was made before it was noted. */
  readonly creator: KeyCreator | null;
  /** The key whose place it took; null where it took none. */
  readonly rotatedFrom: string | null;
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

export type Used<Key> = Key & { readonly lastUsedAtMs: number | null };

/** A key that is known by its hash. */
export type FoundKey = { readonly revokedAtMs: number | null } & (
  | { readonly kind: "project_key"; readonly key: Used<ProjectKeyRecord> }
  | { readonly kind: "admin_key"; readonly key: Used<AdminKeyRecord> }
);

export interface KeyStore {
  /** Every key that is not revoked. */
  listActive(): Promise<{ projectKeys: ProjectKeyRecord[]; adminKeys: AdminKeyRecord[] }>;
  /** One of them; null where there is none. */
  findActiveProjectKey(id: string): Promise<ProjectKeyRecord | null>;
  findActiveAdminKey(id: string): Promise<AdminKeyRecord | null>;
  /** Those of a service account. */
  listActiveOfAccount(serviceAccountId: string): Promise<ProjectKeyRecord[]>;
  /** A project's keys that are not revoked, newest first, with the time of their last logged request. */
  listedOfProject(projectId: string): PagedList<Used<ProjectKeyRecord>>;
  /** The admin keys that are not revoked, oldest first, with the time of their last noted use. */
  listedAdminKeys(): PagedList<Used<AdminKeyRecord>>;
  /** Those of them that hold a role, or any, by role; `id` is the role's and the key's with `:organization:` between. */
  listedRoleHolders(
    roleId: string | undefined,
  ): PagedList<{ readonly id: string; readonly key: AdminKeyRecord }>;
  /** Those of them that hold a role, oldest first. */
  adminKeysWith(roleId: string): Promise<AdminKeyRecord[]>;
  /** A key that is not revoked; null where there is none. */
  findProjectKey(id: string): Promise<Used<ProjectKeyRecord> | null>;
  findAdminKey(id: string): Promise<Used<AdminKeyRecord> | null>;
  insertProjectKey(transaction: Transaction, key: ProjectKeyRecord): Promise<void>;
  insertAdminKey(transaction: Transaction, key: AdminKeyRecord): Promise<void>;
  /** A key by its hash, a revoked one too; null where there never was one. */
  findByHash(hash: string): Promise<FoundKey | null>;
  /** Saves a key's name, its scope and the time it expires. */
  updateProjectKey(transaction: Transaction, key: ProjectKeyRecord): Promise<void>;
  revokeProjectKey(transaction: Transaction, id: string, atMs: number): Promise<void>;
  /** Revokes an admin key and ends the sessions and sign-in links made for it, together. */
  revokeAdminKey(transaction: Transaction, id: string, atMs: number): Promise<void>;
  noteAdminKeyUse(transaction: Transaction, id: string, atMs: number): Promise<void>;
}
