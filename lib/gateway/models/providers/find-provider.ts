import { notFound } from "../../refusal";
import type { Provider, ProviderDirectory } from "./provider-directory";

/** @throws Refusal 404. */
export function findProvider(directory: ProviderDirectory, id: string): Provider {
  const provider = directory.find(id);
  if (!provider) throw notFound("provider", id, "provider_id");
  return provider;
}
