import type { MappedKind } from "@/lib/contract/calls/provider-kinds";
import type { TaskApi } from "@/lib/contract/calls/task-api";
import type { ProviderDraft } from "@/lib/contract/operations/models/providers";
import { Secret } from "../../secrets/secret";
import type { Provider } from "./provider-directory";
import { defaultProviderLimits, type ProviderLimitsDraft, toProviderLimits } from "./provider-limits";
import type { ProviderStore, StoredProvider } from "./provider-store.sql";

/** A provider of the configuration file whose task API is mapped there. */
interface MappedProviderDraft extends Pick<ProviderDraft, "id" | "base_url" | "api_key"> {
  readonly kind: MappedKind;
  readonly task_api: TaskApi;
}

type ConfiguredProvider = (ProviderDraft & ProviderLimitsDraft) | MappedProviderDraft;

interface ProviderSources {
  readonly providers: Pick<ProviderStore, "list">;
  /** The providers of the configuration file, which override stored ones with the same id. */
  readonly configured: readonly ConfiguredProvider[];
}

/** The stored and configured providers. `isTrusted` says which addresses may be private. */
export async function readProviders(
  { providers, configured }: ProviderSources,
  isTrusted: (baseUrl: string) => boolean,
): Promise<Provider[]> {
  const configuredProviders = configured.map(toConfigured);
  const isWritten = ({ id }: StoredProvider) => configuredProviders.some((provider) => provider.id === id);
  const storedProviders = (await providers.list()).filter((provider) => !isWritten(provider));
  return [
    ...storedProviders.map((provider) => ({
      ...provider,
      limits: toProviderLimits(provider),
      taskApi: null,
      source: "database" as const,
      isTrusted: isTrusted(provider.baseUrl),
    })),
    ...configuredProviders,
  ];
}

function toConfigured(draft: ConfiguredProvider): Provider {
  const common = { source: "config", isTrusted: true } as const;
  if (draft.kind === "http") {
    const { kind, task_api: taskApi } = draft;
    return {
      ...toServer(draft),
      ...common,
      kind,
      taskApi,
      outputLimitField: null,
      timeouts: {},
      refusedFields: [],
      limits: defaultProviderLimits,
    };
  }
  return { ...toHosted(draft), ...common, limits: toProviderLimits(draft), taskApi: null };
}

export function toHosted({
  kind,
  output_limit_field,
  timeouts = {},
  refused_fields = [],
  ...draft
}: ProviderDraft) {
  const settings = { outputLimitField: output_limit_field ?? null, timeouts, refusedFields: refused_fields };
  return { ...toServer(draft), kind, ...settings };
}

/** A draft's server, with the trailing slash of the base address removed so that paths can be appended. */
function toServer({ id, base_url, api_key }: Pick<ProviderDraft, "id" | "base_url" | "api_key">) {
  return { id, baseUrl: base_url.replace(/\/+$/, ""), apiKey: api_key ? new Secret(api_key) : null };
}
