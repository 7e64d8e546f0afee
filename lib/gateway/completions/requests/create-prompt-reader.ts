import type { CatalogueModel } from "../../models/catalogue";
import type { ProviderDirectory } from "../../models/provider-directory";
import type { PromptReader } from "./prepared-request";

/** Counts a model's prompts as the first provider of its routes does. */
export function createPromptReader(
  directory: Pick<ProviderDirectory, "find">,
  { routes, contextWindow }: Pick<CatalogueModel, "routes" | "contextWindow">,
): PromptReader {
  const provider = routes[0] && directory.find(routes[0].provider);
  return { kind: provider?.kind ?? "openai", contextWindow };
}
