import type { ProjectModelPermissions } from "./model-permission-book";

export interface ModelPermissionStore {
  list(): Promise<ProjectModelPermissions[]>;
  save(permissions: ProjectModelPermissions, atMs: number): Promise<void>;
  delete(projectId: string): Promise<void>;
}
