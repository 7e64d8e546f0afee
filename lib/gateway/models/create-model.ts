import { findPriceFault } from "@/lib/contract/calls/find-price-fault";
import { isUnitFamily } from "@/lib/contract/calls/model-families";
import { listMadeFamilies, servesFamily } from "@/lib/contract/calls/provider-kinds";
import type { ModelDraft, ModelRoute } from "@/lib/contract/operations/models/models";
import { type ChangeRequest, change } from "../changes/change";
import { conflict, invalid } from "../refusal";
import type { CatalogueModel } from "./catalogue";
import type { ModelContext } from "./model-context";
import { toCatalogueModel } from "./model-entry";
import type { ProviderDirectory } from "./providers/provider-directory";

/**
 * Adds a model, which answers calls at once.
 * @throws Refusal 409 for an existing id; 400 for a route to an unknown provider.
 */
export function createModel(
  context: ModelContext,
  request: ChangeRequest,
  draft: ModelDraft,
): Promise<CatalogueModel> {
  const { catalogue, models, directory, defaultRateLimits: defaults, effects } = context;
  return change(context, request, async (transaction) => {
    if (catalogue.find(draft.id)) {
      throw conflict("id", `There is a model "${draft.id}" already; give this one another id.`);
    }
    refuseWrongPrice(draft);
    draft.routes.forEach((route, position) => refuseWrongProvider(directory, draft, { ...route, position }));
    const createdAtMs = effects.clock.nowMs();
    await models.insert(transaction, { ...draft, createdAtMs });
    return toCatalogueModel(draft, { source: "database", defaults, createdAtMs });
  });
}

function refuseWrongProvider(
  directory: ProviderDirectory,
  { family }: ModelDraft,
  { provider, position }: ModelRoute & { readonly position: number },
): void {
  const foundProvider = directory.find(provider);
  if (foundProvider) {
    const { kind, taskApi } = foundProvider;
    if (servesFamily(kind, taskApi?.makes, family)) return;
    const makes = listMadeFamilies(kind, taskApi?.makes).join(" and ");
    const message = `"${provider}" makes only ${makes} models; choose another provider for a ${family} model.`;
    throw invalid(`routes.${position}.provider`, message);
  }
  const providerIds = directory.list().map(({ id }) => id);
  const message = `There is no provider "${provider}"; use one of ${providerIds.join(", ")}, or add it first.`;
  throw invalid(`routes.${position}.provider`, message);
}

/** @throws Refusal 400 if the model has no price, or a price of a kind that its family doesn't have. */
function refuseWrongPrice(draft: ModelDraft): void {
  const fault = findPriceFault(draft);
  if (fault) throw invalid(fault.field, `${fault.field} ${fault.message}.`, fault.code);
  const field = isUnitFamily(draft.family) ? "unit_price" : "price";
  if (draft.price === undefined && draft.unit_price === undefined)
    throw invalid(field, `${field} is required.`, "missing_field");
}
