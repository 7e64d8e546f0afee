import type { PagedList } from "../ports/paged-list";
import type { ProjectKeyRecord, ServiceAccountRecord } from "./key-store";

export interface ServiceAccountStore {
  /** A project's accounts that are not deleted, oldest first. */
  listedOfProject(projectId: string): PagedList<ServiceAccountRecord>;
  /** One of them; null where the project has none by this id. */
  find(projectId: string, id: string): Promise<ServiceAccountRecord | null>;
  /** Stores an account and its first key, if it has one, together. */
  insert(account: ServiceAccountRecord, key: ProjectKeyRecord | null): Promise<void>;
  update(account: ServiceAccountRecord): Promise<void>;
  /** Deletes an account and revokes its keys, together. @returns the hashes of the keys revoked. */
  delete(id: string, atMs: number): Promise<string[]>;
}
