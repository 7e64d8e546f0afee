import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { unixSeconds } from "../../schema";
import { markUnversioned, withVersion } from "../../version";
import { modelRoutes } from "./models";

const shownRoute = z.object({
  provider: z.string(),
  /** The model's name at the provider. */
  model: z.string(),
  group: z.int(),
  weight: z.int(),
  context_window: z.nullable(z.int()),
  ends_at: z.nullable(unixSeconds),
});

const routesOfModel = withVersion(
  z.object({
    object: z.literal("organization.model.routes"),
    /** The model's id. */
    id: z.string(),
    routes: z.array(shownRoute),
    /** When they were changed last; null while they are as the model defines them. */
    changed_at: markUnversioned(z.nullable(unixSeconds)),
  }),
);
export type RoutesOfModel = z.output<typeof routesOfModel>;

const modelRoutesDraft = z.strictObject({
  /** Null: those that the model was defined with. */
  routes: z.nullable(modelRoutes),
});

const path = "/organization/models/{model_id}/routes";

export const modelRouteOperations = defineOperations(
  { surface: "v1 and origin" },
  {
    retrieveModelRoutes: {
      method: "GET",
      path,
      scope: "any project",
      permission: "api.models.read",
      summary: "Returns the routes of a model's calls, with the group and the weight of each.",
      reply: routesOfModel,
    },
    saveModelRoutes: {
      method: "POST",
      effect: "edits",
      path,
      scope: "organization",
      permission: "api.models.write",
      summary:
        "Replaces the routes of a model's calls, from the next call on. Calls under way stay with their provider.",
      body: modelRoutesDraft,
      reply: routesOfModel,
    },
  },
);
