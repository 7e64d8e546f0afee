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
}
