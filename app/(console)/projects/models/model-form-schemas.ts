import * as z from "zod/mini";
import { hostedToolRules } from "@/lib/contract/operations/projects/projects";

/** What a list of models means. */
export const modelMode = z.enum(["all", "allow_list", "deny_list"]);

export const permissionsForm = z.strictObject({ mode: modelMode, model_ids: z.array(z.string()) });

export const rulesForm = z.strictObject({ hosted_tools: z.enum(hostedToolRules) });
