import * as z from "zod/mini";

/** How the models named are meant; with `all` none is named. */
export const modelMode = z.enum(["all", "allow_list", "deny_list"]);
export type ModelMode = z.output<typeof modelMode>;

/** Which models a project may call. */
export type ModelChoice = {
  mode: ModelMode;
  model_ids: string[];
  version?: string | undefined;
};

export const everyModel: ModelChoice = { mode: "all", model_ids: [] };
