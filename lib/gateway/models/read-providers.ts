import type { ProviderDraft } from "@/lib/contract/operations/providers";
import { Secret } from "../secrets/secret";
import type { Provider } from "./provider-directory";
import { defaultProviderLimits, type ProviderLimitsDraft, toProviderLimits } from "./provider-limits";
import type { ProviderStore, StoredProvider } from "./provider-store";

interface ProviderSources {
  readonly providers: Pick<ProviderStore, "list">;
  /** The providers of the configuration file, which override stored ones with the same id. */
  readonly configured: readonly (ProviderDraft & ProviderLimitsDraft)[];
}

/** The stored and configured providers. `isTrusted` says which addresses may be private. */
export async function readProviders(
  { providers, configured }: ProviderSources,
  isTrusted: (baseUrl: string) => boolean,
): Promise<Provider[]> {
  const written = configured.map(toConfigured);
  const isWritten = ({ id }: StoredProvider) => written.some((provider) => provider.id === id);
  const stored = (await providers.list()).filter((provider) => !isWritten(provider));
  return [
    ...stored.map((provider) => ({
      ...provider,
      limits: defaultProviderLimits,
      source: "database" as const,
      isTrusted: isTrusted(provider.baseUrl),
    })),
    ...written,
  ];
}

function toConfigured(draft: ProviderDraft & ProviderLimitsDraft): Provider {
  return { ...toHosted(draft), limits: toProviderLimits(draft), source: "config", isTrusted: true };
}

/** A draft's fields, with the trailing slash of the base address removed so that paths can be appended. */
export function toHosted({ id, kind, base_url, api_key, output_limit_field }: ProviderDraft) {
  return {
    id,
    kind,
    baseUrl: base_url.replace(/\/+$/, ""),
    apiKey: api_key ? new Secret(api_key) : null,
    outputLimitField: output_limit_field ?? null,
  };
}
