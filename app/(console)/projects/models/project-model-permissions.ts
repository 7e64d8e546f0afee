/** Which models a project can call. The meaning of the list is its mode; with `all`, it is empty. */
export type ProjectModelPermissions = {
  mode: "all" | "allow_list" | "deny_list";
  model_ids: string[];
  version?: string | undefined;
};

export const everyModel: ProjectModelPermissions = { mode: "all", model_ids: [] };
