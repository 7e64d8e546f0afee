import type { CatalogueModel } from "../models/catalogue";
import type { ProviderDirectory } from "../models/provider-directory";
import type { PromptReader } from "./call-request";

/** Who counts a prompt for a model: the first provider that its calls go to. */
export function promptReader(
  directory: Pick<ProviderDirectory, "find">,
  { routes, contextWindow }: Pick<CatalogueModel, "routes" | "contextWindow">,
): PromptReader {
  const provider = routes[0] && directory.find(routes[0].provider);
  return { kind: provider?.kind ?? "openai", contextWindow };
}
