import * as z from "zod/mini";
import { hostedToolRules } from "@/lib/contract/operations/projects/projects";

/** Which models a project can call. The meaning of the list is its mode; with `all`, it is empty. */
export type ProjectModelPermissions = {
  mode: "all" | "allow_list" | "deny_list";
  model_ids: string[];
  version?: string | undefined;
};

export const everyModel: ProjectModelPermissions = { mode: "all", model_ids: [] };

/** What a list of models means. */
export const modelMode = z.enum(["all", "allow_list", "deny_list"]);

export const permissionsForm = z.strictObject({ mode: modelMode, model_ids: z.array(z.string()) });
export const rulesForm = z.strictObject({ hosted_tools: z.enum(hostedToolRules) });
