import { isMediaFamily, isTokenFamily } from "@/lib/contract/model-families";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { amountOf, formatAmount, NANO_PER_UNIT, toNano } from "@/lib/money/amount";
import { worthOfPayment } from "@/lib/money/worth";

type Source = OrganizationModel["source"];

/** Where a model or a provider comes from, and so where it can be removed. */
export const sourceWords: Readonly<Record<Source, string>> = {
  built_in: "built in",
  config: "configuration file",
  database: "added here",
};

/** Why no program can call a model; null where one can. */
export function whyNotCallable({
  family,
  price,
  unit_price,
}: Pick<OrganizationModel, "family" | "price" | "unit_price">): string | null {
  if ((isMediaFamily(family) ? unit_price : price) === null) return "It has no list price.";
  const answers = isTokenFamily(family) || isMediaFamily(family);
  return answers ? null : `This gateway has no endpoint for ${family} models yet.`;
}

/** What a payment of 1.00 buys at list prices. */
export function worthOfOne({ rate }: Pick<OrganizationModel, "rate">): string {
  return formatAmount(worthOfPayment(toNano(NANO_PER_UNIT), amountOf(rate)));
}

/** The models that hold every word of the filter in what the list shows of them. */
export function filterModels(models: readonly OrganizationModel[], filter: string): OrganizationModel[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter((model) => {
    const routes = model.routes.map(({ provider, model: name }) => `${provider} ${name}`);
    const text = [model.id, model.family, sourceWords[model.source], ...routes].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
