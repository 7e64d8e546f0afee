import type { ProjectKeyRecord, ServiceAccountRecord } from "./key-store";

export interface ServiceAccountStore {
  /** A project's accounts that are not deleted, oldest first. */
  listOfProject(projectId: string): Promise<ServiceAccountRecord[]>;
  /** Stores an account and its first key, if it has one, together. */
  insert(account: ServiceAccountRecord, key: ProjectKeyRecord | null): Promise<void>;
  update(account: ServiceAccountRecord): Promise<void>;
  /** Deletes an account and revokes its keys, together. @returns the hashes of the keys revoked. */
  delete(id: string, atMs: number): Promise<string[]>;
}
