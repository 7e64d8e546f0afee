import { containsWords } from "@/components/ui/search/match-words";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { computeWorth, formatAmount, NANO_PER_UNIT, parseCheckedAmount, toNano } from "@/lib/money/amount";

type Source = OrganizationModel["source"];

/** Where a model or provider was defined, which is also where it can be removed. */
export const sourceWords: Readonly<Record<Source, string>> = {
  built_in: "built in",
  config: "configuration file",
  database: "added here",
};

/** Returns why programs can't call a model; null if they can. */
export function explainUncallable({
  price,
  unit_price,
}: Pick<OrganizationModel, "price" | "unit_price">): string | null {
  return price === null && unit_price === null ? "It has no list price." : null;
}

/** Returns what a payment of 1.00 buys at list prices. */
export function formatWorth({ rate }: Pick<OrganizationModel, "rate">): string {
  return formatAmount(computeWorth(toNano(NANO_PER_UNIT), parseCheckedAmount(rate)).amount);
}

/** Returns the models whose listed text contains every word of the filter. */
export function filterModels(models: readonly OrganizationModel[], filter: string): OrganizationModel[] {
  return models.filter((model) => {
    const routes = model.routes.map(({ provider, model: name }) => `${provider} ${name}`);
    return containsWords([model.id, model.family, sourceWords[model.source], ...routes].join(" "), filter);
  });
}
