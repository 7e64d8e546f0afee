import { findPreset, type ProviderPreset } from "@/lib/contract/calls/provider-presets";
import type { MappedKind } from "@/lib/contract/calls/provider-protocols";
import type { TaskApi } from "@/lib/contract/calls/task-api";
import { findAddress, type ProviderDraft } from "@/lib/contract/operations/models/providers";
import { Secret } from "../../secrets/secret";
import {
  defaultProviderLimits,
  type Provider,
  type ProviderKey,
  type ProviderLimitsDraft,
  toProviderLimits,
} from "./provider-directory";
import type { ProviderStore, StoredProvider } from "./provider-store.sql";

/** A provider of the configuration file whose task API is mapped there. */
interface MappedProviderDraft extends Pick<ProviderDraft, "id" | "api_key" | "api_keys"> {
  readonly base_url: string;
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
      protocols: [],
      auth: "bearer",
      messagesBaseUrl: null,
      outputLimitField: null,
      timeouts: {},
      refusedFields: [],
      limits: defaultProviderLimits,
    };
  }
  return { ...toHosted(draft), ...common, limits: toProviderLimits(draft), taskApi: null };
}

/** @throws TypeError for a draft without an address, which the contract refuses. */
export function toHosted({ kind, preset: name = "other", timeouts = {}, ...draft }: ProviderDraft) {
  const preset = findPreset(name);
  const base_url = findAddress({ ...draft, preset: name });
  if (base_url === null) throw new TypeError("A provider without an address is refused by the contract");
  const { protocols = preset.protocols, auth = preset.auth, messages_base_url: messagesUrl } = draft;
  const messagesAt = messagesUrl === undefined ? findMessagesUrl(base_url, preset) : messagesUrl;
  const settings = {
    protocols,
    auth,
    messagesBaseUrl: messagesAt && withoutSlashes(messagesAt),
    outputLimitField: draft.output_limit_field ?? preset.outputLimitField ?? null,
    timeouts,
    refusedFields: draft.refused_fields ?? preset.refusedFields ?? [],
  };
  return { ...toServer({ ...draft, base_url }), kind, ...settings };
}

function findMessagesUrl(baseUrl: string, { messagesPath }: ProviderPreset): string | null {
  return messagesPath === undefined ? null : `${new URL(baseUrl).origin}${messagesPath}`;
}

/** Paths are appended to a base address. */
const withoutSlashes = (url: string) => url.replace(/\/+$/, "");

function toServer({
  id,
  base_url,
  api_key: only,
  api_keys: all = only ? [only] : [],
}: Pick<MappedProviderDraft, "id" | "base_url" | "api_key" | "api_keys">) {
  const keys = all.map((key, index): ProviderKey => ({ id: `key_${index + 1}`, secret: new Secret(key) }));
  return { id, baseUrl: withoutSlashes(base_url), apiKey: keys[0]?.secret ?? null, keys };
}
