import * as z from "zod/mini";

/** The meaning of the listed models. With `all`, the list is empty. */
export const modelMode = z.enum(["all", "allow_list", "deny_list"]);
type ModelMode = z.output<typeof modelMode>;

/** Which models a project can call. */
export type ProjectModelPermissions = {
  mode: ModelMode;
  model_ids: string[];
  version?: string | undefined;
};

export const everyModel: ProjectModelPermissions = { mode: "all", model_ids: [] };
