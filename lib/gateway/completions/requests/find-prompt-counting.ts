import type { CatalogueModel } from "../../models/catalogue";
import type { ProviderDirectory } from "../../models/provider-directory";
import type { PromptCounting } from "./prepared-request";

/** How a model's prompts are counted: as the first provider of its routes does. */
export function findPromptCounting(
  directory: Pick<ProviderDirectory, "find">,
  { routes, contextWindow }: Pick<CatalogueModel, "routes" | "contextWindow">,
): PromptCounting {
  const provider = routes[0] && directory.find(routes[0].provider);
  return { kind: provider?.kind ?? "openai", contextWindow };
}
