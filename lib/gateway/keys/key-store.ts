/** A project's key as it is stored: its hash, never the key. */
export interface ProjectKeyRecord {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly hash: string;
  readonly lastFour: string;
  readonly createdAtMs: number;
}

export interface AdminKeyRecord {
  readonly id: string;
  readonly name: string;
  readonly roleId: string;
  readonly hash: string;
  readonly lastFour: string;
  readonly createdAtMs: number;
}

export interface KeyStore {
  /** Every key that is not revoked. */
  listActive(): Promise<{ projectKeys: ProjectKeyRecord[]; adminKeys: AdminKeyRecord[] }>;
  /** A project's keys that are not revoked, newest first, with the time of their last logged request. */
  listOfProject(projectId: string): Promise<(ProjectKeyRecord & { readonly lastUsedAtMs: number | null })[]>;
  insertProjectKey(key: ProjectKeyRecord): Promise<void>;
  insertAdminKey(key: AdminKeyRecord): Promise<void>;
  /** @returns the revoked key, or null where the project has no such active key. */
  revokeProjectKey(projectId: string, id: string, atMs: number): Promise<ProjectKeyRecord | null>;
}
