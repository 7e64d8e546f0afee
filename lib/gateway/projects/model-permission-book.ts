/** What a project's calls are restricted to: the models listed, or all but those. */
export interface ProjectModelPermissions {
  readonly projectId: string;
  readonly mode: "allow_list" | "deny_list";
  readonly modelIds: ReadonlySet<string>;
}

/** Which models each project may call, in memory. Mirrors the model permission store. */
export class ModelPermissionBook {
  readonly #byProject = new Map<string, ProjectModelPermissions>();

  constructor(saved: Iterable<ProjectModelPermissions>) {
    for (const permissions of saved) this.put(permissions);
  }

  /** Whether a project may call a model. One without permissions of its own may call every model. */
  allows(projectId: string, modelId: string): boolean {
    const permissions = this.#byProject.get(projectId);
    return !permissions || permissions.modelIds.has(modelId) === (permissions.mode === "allow_list");
  }

  find(projectId: string): ProjectModelPermissions | undefined {
    return this.#byProject.get(projectId);
  }

  put(permissions: ProjectModelPermissions): void {
    this.#byProject.set(permissions.projectId, permissions);
  }

  remove(projectId: string): void {
    this.#byProject.delete(projectId);
  }
}
