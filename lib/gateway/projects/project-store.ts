export interface ProjectRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly archivedAtMs: number | null;
}

export interface ProjectStore {
  /** Oldest first. */
  list(): Promise<ProjectRecord[]>;
  find(id: string): Promise<ProjectRecord | null>;
  insert(project: ProjectRecord): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  /** Archives an active project, deletes its service accounts and revokes its keys, together. @returns the hashes of the keys revoked. */
  archive(id: string, atMs: number): Promise<string[]>;
}
