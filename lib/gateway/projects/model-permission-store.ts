import type { Transaction } from "../changes/transaction";

/** A project's restriction: only the listed models, or all but the listed ones. */
export interface ProjectModelPermissions {
  readonly projectId: string;
  readonly mode: "allow_list" | "deny_list";
  readonly modelIds: ReadonlySet<string>;
}

export interface ModelPermissionStore {
  list(): Promise<ProjectModelPermissions[]>;
  /** Null for a project that may call every model. */
  find(projectId: string): Promise<ProjectModelPermissions | null>;
  save(transaction: Transaction, permissions: ProjectModelPermissions, atMs: number): Promise<void>;
  delete(transaction: Transaction, projectId: string): Promise<void>;
}
