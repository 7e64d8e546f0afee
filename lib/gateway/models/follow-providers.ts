import type { ProviderDraft } from "@/lib/contract/operations/providers";
import type { Mirror } from "../changes/mirror";
import { Secret } from "../secrets/secret";
import type { Provider, ProviderDirectory } from "./provider-directory";
import { type ProviderLimitsDraft, toProviderLimits, usualProviderLimits } from "./provider-limits";
import type { ProviderStore, StoredProvider } from "./provider-store";

interface ProviderSources {
  readonly providers: Pick<ProviderStore, "list">;
  /** Those of the configuration file, which stand before a database provider of the same id. */
  readonly configured: readonly (ProviderDraft & ProviderLimitsDraft)[];
}

/** Lets the directory follow the providers that are stored. */
export function followProviders(
  directory: ProviderDirectory,
  { providers, configured }: ProviderSources,
): Mirror {
  const written = new Map(configured.map((draft) => [draft.id, toConfigured(draft)]));
  const toProvider = (stored: StoredProvider): Provider => ({
    ...stored,
    limits: usualProviderLimits,
    source: "database",
    isTrusted: directory.trusts(stored.baseUrl),
  });
  return {
    load: async () => directory.load([...(await providers.list()).map(toProvider), ...written.values()]),
    reread: {
      providers: async ({ id }) => {
        const stored = (await providers.list()).find((provider) => provider.id === id);
        directory.put(id, written.get(id) ?? (stored ? toProvider(stored) : null));
      },
    },
  };
}

function toConfigured(draft: ProviderDraft & ProviderLimitsDraft): Provider {
  return { ...toHosted(draft), limits: toProviderLimits(draft), source: "config", isTrusted: true };
}

/** What a draft says, its base address without a trailing slash so that paths can be appended to it. */
export function toHosted({ id, kind, base_url, api_key, output_limit_field }: ProviderDraft) {
  return {
    id,
    kind,
    baseUrl: base_url.replace(/\/+$/, ""),
    apiKey: api_key ? new Secret(api_key) : null,
    outputLimitField: output_limit_field ?? null,
  };
}
