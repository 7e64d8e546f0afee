import type { ProviderDraft } from "@/lib/contract/operations/providers";
import { Secret } from "../secrets/secret";
import { hostOf, ProviderDirectory } from "./provider-directory";
import { type ProviderLimitsDraft, toProviderLimits, usualProviderLimits } from "./provider-limits";
import type { ProviderStore } from "./provider-store";

/** Reads every provider once, at start. The configuration file stands before a database provider of the same id. */
export async function loadProviderDirectory(
  providers: ProviderStore,
  configured: readonly (ProviderDraft & ProviderLimitsDraft)[],
  trustedHosts: readonly string[] = [],
): Promise<ProviderDirectory> {
  const stored = (await providers.list()).map((provider) => ({
    ...provider,
    limits: usualProviderLimits,
    source: "database" as const,
    isTrusted: trustedHosts.includes(hostOf(provider.baseUrl)),
  }));
  const written = configured.map((draft) => ({
    ...toHosted(draft),
    limits: toProviderLimits(draft),
    source: "config" as const,
    isTrusted: true,
  }));
  return new ProviderDirectory([...stored, ...written], trustedHosts);
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
