import type { ServiceCatalogue } from "../../models/price-catalogue";
import type { ListedModel } from "./listed-models";

/**
 * The model that a test calls: one that calls are sent to already, else the cheapest chat model of the list, by its
 * price of output; null where the list has none.
 */
export function chooseTestModel(
  listed: readonly ListedModel[],
  routed: readonly string[],
  service: ServiceCatalogue,
): string | null {
  const chats = listed.filter(({ family, unusable }) => family === "chat" && unusable === null);
  const isListed = (name: string) => chats.some((model) => model.name === name);
  const used = routed.find(isListed) ?? routed[0];
  if (used !== undefined) return used;
  const priced = chats.flatMap(({ name, family }) => {
    const output = service.find(name, family)?.price?.output_per_1m;
    return output === undefined ? [] : [{ name, cost: Number(output) }];
  });
  const [first] = priced;
  const cheapest = first && priced.reduce((least, one) => (one.cost < least.cost ? one : least), first);
  return cheapest?.name ?? chats[0]?.name ?? null;
}
