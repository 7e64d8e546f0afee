import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { type ChangeRequest, change } from "../changes/change";
import { Refusal } from "../refusal";
import type { CatalogueModel } from "./catalogue";
import { toRouted } from "./model-entry";
import { findModel, type ModelContext, refuseWrongProviders, refuseWrongRoutePrices } from "./models";

/**
 * Replaces a model's routes, from the next call on. @param routes null: those of its definition.
 * @throws Refusal 404 for an unknown model; 400 for a route to a wrong provider; 403 for a built-in model.
 */
export function saveModelRoutes(
  { catalogue, directory, models, runtime, ...context }: ModelContext,
  request: ChangeRequest,
  id: string,
  routes: readonly ModelRoute[] | null,
): Promise<CatalogueModel> {
  return change(context, request, async (transaction) => {
    const model = findModel(catalogue, id);
    if (model.source === "built_in") {
      const message = `"${id}" is built in and is answered by the sandbox alone. Route a model of your own.`;
      throw new Refusal(403, "permission_error", "predefined_model", message, { param: "routes" });
    }
    const routed = { ...model, ...toRouted(routes ?? model.definedRoutes) };
    refuseWrongProviders(directory.list(), routed);
    refuseWrongRoutePrices(routed);
    if (!routes) {
      await models.routes.delete(transaction, id);
      return { ...routed, routedAtMs: null };
    }
    const updatedAtMs = runtime.clock.nowMs();
    await models.routes.save(transaction, { model: id, routes, updatedAtMs });
    return { ...routed, routedAtMs: updatedAtMs };
  });
}
