import type { ModelPrice, ModelPriceDraft } from "@/lib/contract/operations/models/models";
import type { PriceChanges } from "@/lib/contract/operations/models/price-checks";
import { type ChangeRequest, change } from "../changes/change";
import { conflict } from "../refusal";
import type { CatalogueModel } from "./catalogue";
import { completePrice, toPrice, writePrice } from "./model-entry";
import { findModel, type ModelContext, savePrice } from "./models";
import { LIST_CURRENCY, type ListPrice, openServiceCatalogue } from "./price-catalogue";

/** A model by tokens, and the price that the catalogue has for its first route. */
export interface PriceComparison {
  readonly model: CatalogueModel;
  readonly provider: string;
  readonly name: string;
  readonly price: ModelPrice;
  readonly newPrice: ModelPrice;
}

/**
 * Compares the prices of models by tokens with those of the catalogue. Models that it doesn't know are left out, and
 * all are where prices here are in another currency and no exchange rate is given.
 */
export async function comparePrices(
  { catalogue, directory, runtime }: Pick<ModelContext, "catalogue" | "directory" | "runtime">,
  {
    currency,
    convert,
  }: { readonly currency: string; readonly convert: ((listed: ListPrice) => ListPrice) | null },
): Promise<{ readonly differing: PriceComparison[]; readonly unchanged: number }> {
  const differing: PriceComparison[] = [];
  let unchanged = 0;
  if (currency !== LIST_CURRENCY && !convert) return { differing, unchanged };
  for (const model of catalogue.list()) {
    const [route] = model.routes;
    const provider = route && directory.find(route.provider);
    if (!route || !provider?.baseUrl || !model.price) continue;
    const service = await openServiceCatalogue(provider, runtime.clock.nowMs());
    const found = service.find(route.model, model.family);
    const listed = found && convert ? convert(found).price : found?.price;
    if (!listed) continue;
    const price = writePrice(model.price);
    const newPrice = takeOver(price, listed);
    if (isSame(price, newPrice)) unchanged++;
    else differing.push({ model, provider: provider.id, name: route.model, price, newPrice });
  }
  return { differing, unchanged };
}

/** The catalogue's price, with what it never has: the rate of priority, and tools that were priced here. */
function takeOver(price: ModelPrice, listed: ModelPriceDraft): ModelPrice {
  const { priority_rate, tools } = price;
  const allTools = { ...tools, ...listed.tools };
  const taken = {
    ...completePrice(listed),
    ...(priority_rate !== undefined && { priority_rate }),
    ...(Object.keys(allTools).length > 0 && { tools: allTools }),
  };
  return writePrice(toPrice(taken));
}

/** Whether two prices are the same in every class, however they are written. */
function isSame(one: ModelPriceDraft, other: ModelPriceDraft): boolean {
  return (
    JSON.stringify(inOrder(writePrice(toPrice(one)))) === JSON.stringify(inOrder(writePrice(toPrice(other))))
  );
}

function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return fields.map(([name, inner]) => [name, inOrder(inner)]);
}

/**
 * Gives models new prices in one change.
 * @throws Refusal 409 where a model has another price by now than it was planned from, 404 for an unknown model.
 */
export function changePrices(
  context: ModelContext,
  request: ChangeRequest,
  { models }: PriceChanges,
): Promise<CatalogueModel[]> {
  return change(context, request, async (transaction) => {
    const changed: CatalogueModel[] = [];
    for (const [position, { id, price, new_price: newPrice }] of models.entries()) {
      const model = findModel(context.catalogue, id);
      if (!model.price || !isSame(writePrice(model.price), price)) {
        const message = `"${id}" has another price by now; check the prices again.`;
        throw conflict(`models.${position}.price`, message, "price_changed");
      }
      changed.push(await savePrice(context, transaction, model, { price: newPrice }));
    }
    return changed;
  });
}
