import { numberGroups, USUAL_WEIGHT } from "@/lib/contract/calls/route-groups";
import type { RoutesOfModel } from "@/lib/contract/operations/models/model-routes";
import type { CatalogueModel } from "../../models/catalogue";
import { saveModelRoutes } from "../../models/model-routes";
import { findModel, type ModelContext } from "../../models/models";
import { toUnixSeconds } from "../../unix-seconds";
import type { Handlers } from "../handler";

export function modelRouteRoutes(context: ModelContext): Handlers<"retrieveModelRoutes" | "saveModelRoutes"> {
  return {
    retrieveModelRoutes: async ({ params }) => describeRoutes(findModel(context.catalogue, params.model_id)),
    saveModelRoutes: async ({ params, body, request }) =>
      describeRoutes(await saveModelRoutes(context, request, params.model_id, body.routes)),
  };
}

function describeRoutes({ id, routes, routedAtMs }: CatalogueModel): RoutesOfModel {
  const groups = numberGroups(routes);
  return {
    object: "organization.model.routes",
    id,
    routes: routes.map((route, position) => ({
      provider: route.provider,
      model: route.model,
      group: groups[position] ?? 1,
      weight: route.weight ?? USUAL_WEIGHT,
      context_window: route.context_window ?? null,
      ends_at: route.ends_at ?? null,
    })),
    changed_at: routedAtMs === null ? null : toUnixSeconds(routedAtMs),
  };
}
