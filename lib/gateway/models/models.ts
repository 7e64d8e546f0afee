import { findPriceFault } from "@/lib/contract/calls/find-price-fault";
import { isUnitFamily } from "@/lib/contract/calls/model-families";
import { canAsk, listMadeFamilies, servesFamily } from "@/lib/contract/calls/provider-protocols";
import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { suggestName } from "@/lib/contract/nearest-name";
import type { ModelChange, ModelDraft, ModelRoute } from "@/lib/contract/operations/models/models";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import type { ClockAndRandom } from "../clock";
import { conflict, invalid, Refusal } from "../refusal";
import { type Catalogue, type CatalogueModel, isCallable } from "./catalogue";
import {
  completePrice,
  toCatalogueModel,
  toPrice,
  toRate,
  toUnitPrice,
  writePrice,
  writeUnitPrice,
} from "./model-entry";
import type { ModelStore, StoredPrice } from "./model-store.sql";
import type { Provider, ProviderDirectory } from "./providers/provider-directory";
import type { ProviderStore } from "./providers/provider-store.sql";

/** The dependencies of the verbs on models and providers. */
export interface ModelContext extends ChangeContext {
  readonly catalogue: Catalogue;
  readonly models: ModelStore;
  readonly directory: ProviderDirectory;
  readonly providers: ProviderStore;
  /** The rate limits a new model starts with. */
  readonly defaultRateLimits: RateLimitValues;
  readonly runtime: ClockAndRandom;
  readonly projectCache: { find(id: string): object | undefined };
}

/** @throws Refusal 404 when there is no such model. */
export function findModel(catalogue: Catalogue, id: string): CatalogueModel {
  const model = catalogue.find(id);
  if (!model) throw noSuchModel("model_id", id, catalogue.list());
  return model;
}

/** @throws Refusal 404 for an unknown model, or one that callers limited to these models may not call. */
export function findCallableModel(
  catalogue: Pick<Catalogue, "find" | "list">,
  id: string,
  isVisible: (model: CatalogueModel) => boolean,
): CatalogueModel {
  const model = catalogue.find(id);
  if (model && isCallable(model) && isVisible(model)) return model;
  throw noSuchModel("model_id", id, catalogue.list().filter(isCallable).filter(isVisible));
}

/** A 404 that suggests the most similar of the models that the caller may know of. */
export function noSuchModel(param: string, id: string, models: readonly CatalogueModel[]): Refusal {
  const names = models.map((model) => model.id);
  const message = `There is no model "${id.slice(0, 200)}".${suggestName(id, names)} Those that can be called are listed at /v1/models.`;
  return new Refusal(404, "not_found_error", "model_not_found", message, { param });
}

/**
 * Adds a model, which answers calls at once.
 * @throws Refusal 409 for an existing id; 400 for a route to an unknown provider.
 */
export function createModel(
  context: ModelContext,
  request: ChangeRequest,
  draft: ModelDraft,
): Promise<CatalogueModel> {
  return change(context, request, (transaction) =>
    insertModel(context, transaction, draft, context.directory.list()),
  );
}

/**
 * Adds a model as a part of a change.
 * @param providers those that it may be routed to.
 * @throws Refusal as `createModel` does.
 */
export async function insertModel(
  { catalogue, models, projectCache, defaultRateLimits: defaults, runtime }: ModelContext,
  transaction: Transaction,
  draft: ModelDraft,
  providers: readonly Provider[],
): Promise<CatalogueModel> {
  if (catalogue.find(draft.id)) {
    throw conflict("id", `There is a model "${draft.id}" already; give this one another id.`);
  }
  refuseWrongPrice(draft);
  refuseUnknownProjects(projectCache, draft.projects);
  refuseWrongProviders(providers, draft);
  refuseWrongRoutePrices({ routes: draft.routes, unitPrice: draft.unit_price ?? null });
  const createdAtMs = runtime.clock.nowMs();
  await models.insert(transaction, { ...draft, createdAtMs });
  return toCatalogueModel(draft, { source: "database", defaults, createdAtMs });
}

function refuseUnknownProjects(
  projectCache: ModelContext["projectCache"],
  projects: readonly string[] | null = null,
): void {
  const position = projects?.findIndex((id) => !projectCache.find(id)) ?? -1;
  if (position >= 0) throw invalid(`projects.${position}`, `There is no project "${projects?.[position]}".`);
}

/** @throws Refusal 400 for a route to a provider that there isn't, or that doesn't answer the model's family. */
export function refuseWrongProviders(
  providers: readonly Provider[],
  { family, routes }: Pick<CatalogueModel, "family" | "routes">,
): void {
  routes.forEach((route, position) => refuseWrongProvider(providers, family, { ...route, position }));
}

function refuseWrongProvider(
  providers: readonly Provider[],
  family: CatalogueModel["family"],
  { provider, position }: ModelRoute & { readonly position: number },
): void {
  const foundProvider = providers.find(({ id }) => id === provider);
  if (foundProvider) {
    const { kind, taskApi, protocols } = foundProvider;
    if (kind === "openai" && !canAsk(protocols, family)) {
      const message = `"${provider}" speaks ${protocols.join(" and ")}, in which ${family} models aren't asked; choose a provider that speaks chat.`;
      throw invalid(`routes.${position}.provider`, message);
    }
    if (servesFamily(kind, taskApi?.makes, family)) return;
    const makes = listMadeFamilies(kind, taskApi?.makes).join(" and ");
    const message = `"${provider}" makes only ${makes} models; choose another provider for a ${family} model.`;
    throw invalid(`routes.${position}.provider`, message);
  }
  const providerIds = providers.map(({ id }) => id);
  const message = `There is no provider "${provider}"; use one of ${providerIds.join(", ")}, or add it first.`;
  throw invalid(`routes.${position}.provider`, message);
}

/** @throws Refusal 400 for a route with a price by tokens, of a model that is priced by the unit. */
export function refuseWrongRoutePrices({
  routes,
  unitPrice,
}: Pick<CatalogueModel, "routes"> & { readonly unitPrice: object | null }): void {
  const position = unitPrice ? routes.findIndex(({ price }) => price) : -1;
  if (position < 0) return;
  const message = "The model is priced by the unit, and prices of routes are by tokens; leave it out.";
  throw invalid(`routes.${position}.price`, message);
}

/** @throws Refusal 400 if the model has no price, or a price of a kind that its family doesn't have. */
function refuseWrongPrice(draft: ModelDraft): void {
  const fault = findPriceFault(draft);
  if (fault) throw invalid(fault.field, `${fault.field} ${fault.message}.`, fault.code);
  const field = isUnitFamily(draft.family) ? "unit_price" : "price";
  if (draft.price === undefined && draft.unit_price === undefined)
    throw invalid(field, `${field} is required.`, "missing_field");
}

/**
 * Changes a model's list price, its rate or the projects that may call it, from the next call on. An admitted call
 * keeps the price on its hold.
 * @throws Refusal 404 for an unknown model; 400 for a rate of a model without a price; 403 for projects of a model that
 * wasn't added here.
 */
export function changeModel(
  context: ModelContext,
  request: ChangeRequest,
  id: string,
  { projects, ...draft }: ModelChange,
): Promise<CatalogueModel> {
  return change(context, request, async (transaction) => {
    const model = findModel(context.catalogue, id);
    const opened = projects === undefined ? model : await saveProjects(context, transaction, model, projects);
    const changesPrice = Object.values(draft).some((value) => value !== undefined);
    return changesPrice ? savePrice(context, transaction, opened, draft) : opened;
  });
}

/** Sets the projects that may call a model, as a part of a change. @throws Refusal as `changeModel` does. */
export async function saveProjects(
  { models, projectCache }: Pick<ModelContext, "models" | "projectCache">,
  transaction: Transaction,
  model: CatalogueModel,
  projects: readonly string[] | null,
): Promise<CatalogueModel> {
  if (model.source !== "database") {
    const message = `"${model.id}" is ${model.source === "config" ? "in the configuration file; name its projects there" : "built in: allow or deny it in each project"}.`;
    throw new Refusal(403, "permission_error", "predefined_model", message, { param: "projects" });
  }
  refuseUnknownProjects(projectCache, projects);
  await models.saveProjects(transaction, model.id, projects);
  return { ...model, projects: projects && new Set(projects) };
}

/** Changes a model's price as a part of a change. @throws Refusal as `changeModel` does. */
export async function savePrice(
  { models, runtime }: Pick<ModelContext, "models" | "runtime">,
  transaction: Transaction,
  model: CatalogueModel,
  draft: PriceDraft,
): Promise<CatalogueModel> {
  const prices = pickChangedPrices(model, draft);
  const pricedAtMs = runtime.clock.nowMs();
  await models.savePrice(transaction, { model: model.id, ...prices, updatedAtMs: pricedAtMs });
  const { rate, batchRate, price, unitPrice, audioPrice } = prices;
  return {
    ...model,
    rate: parseCheckedAmount(rate),
    batchRate: toRate(batchRate),
    price: price && toPrice(price),
    unitPrice: unitPrice && toUnitPrice(unitPrice),
    audioPrice: audioPrice && toPrice(audioPrice),
    pricedAtMs,
  };
}

/** A change of a model's prices. */
type PriceDraft = Omit<ModelChange, "projects">;

/** The fault in a change of this model's prices, with its field and correction; null for none. */
export function findChangeFault(
  { id, family, price, unitPrice }: Pick<CatalogueModel, "id" | "family" | "price" | "unitPrice">,
  draft: PriceDraft,
): ReturnType<typeof findPriceFault> {
  const fault = findPriceFault({ ...draft, family });
  if (fault || !draft.audio_price || draft.price || price || !unitPrice) return fault;
  const message = `has no effect: "${id}" is priced by the ${unitPrice.unit}. To price it by tokens, send price too`;
  return { field: "audio_price", message };
}

/**
 * A model's rate and prices after a partial change. A price by tokens replaces one by the unit, and the reverse.
 * @throws Refusal 400 for a price of a kind that its family doesn't have, and for a rate if the model has no price.
 */
export function pickChangedPrices(
  model: CatalogueModel,
  draft: PriceDraft,
): Pick<StoredPrice, "rate" | "batchRate" | "price" | "unitPrice" | "audioPrice"> {
  const { id, family } = model;
  const fault = findChangeFault(model, draft);
  if (fault) throw invalid(fault.field, `${fault.field} ${fault.message}.`, fault.code);
  const price = draft.unit_price
    ? null
    : draft.price
      ? completePrice(draft.price)
      : model.price && writePrice(model.price);
  const unitPrice = draft.price
    ? null
    : (draft.unit_price ?? (model.unitPrice && writeUnitPrice(model.unitPrice)));
  if (!price && !unitPrice) {
    const field = isUnitFamily(family) ? "unit_price" : "price";
    throw invalid(field, `"${id}" has no price yet; send ${field} with the rate.`, "missing_field");
  }
  const batchRate =
    draft.batch_rate === undefined ? model.batchRate && formatAmount(model.batchRate) : draft.batch_rate;
  const audio =
    draft.audio_price === undefined ? model.audioPrice && writePrice(model.audioPrice) : draft.audio_price;
  const audioPrice = price && audio;
  return { rate: draft.rate ?? formatAmount(model.rate), batchRate, price, unitPrice, audioPrice };
}
