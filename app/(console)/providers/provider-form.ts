import { findPreset, type PresetName } from "@/lib/contract/calls/provider-presets";
import {
  defaultHostedKind,
  defaultTimeouts,
  type OmittableField,
  type OutputLimitField,
  type ProviderAuth,
  type ProviderProtocol,
} from "@/lib/contract/calls/provider-protocols";
import type { ProviderTimeouts } from "@/lib/contract/calls/provider-timeouts";
import type { Provider, ProviderChange, ProviderDraft } from "@/lib/contract/operations/models/providers";

export type TimeoutName = keyof typeof defaultTimeouts;
export const timeoutNames = Object.keys(defaultTimeouts) as TimeoutName[];

/** The choice of the output limit's name by the server's address. */
export const USUAL_LIMIT = "usual";

/** While no service is chosen. */
export const NO_PRESET = "";

/** The settings of a provider's calls, by the API's names. An empty text is the default. */
export type TypedSettings = Record<TimeoutName, string> & {
  protocols: ProviderProtocol[];
  auth: ProviderAuth;
  messages_base_url: string;
  output_limit_field: typeof USUAL_LIMIT | OutputLimitField;
  refused_fields: OmittableField[];
};

/** A provider's form, by the API's names. A missing key is "". */
export type ProviderFormValues = TypedSettings & {
  kind: ProviderDraft["kind"];
  preset: typeof NO_PRESET | PresetName;
  id: string;
  base_url: string;
  api_key: string;
  /** Those beside it. */
  more_keys: { key: string }[];
};

/** The settings of a provider for which nothing was set. */
const usualSettings: TypedSettings = {
  protocols: ["chat"],
  auth: "bearer",
  messages_base_url: "",
  connect_seconds: "",
  whole_answer_seconds: "",
  first_event_seconds: "",
  idle_seconds: "",
  total_seconds: "",
  output_limit_field: USUAL_LIMIT,
  refused_fields: [],
};

/** The form of a provider of which nothing is known yet. */
export const emptyProvider: ProviderFormValues = {
  kind: defaultHostedKind,
  preset: NO_PRESET,
  id: "",
  base_url: "",
  api_key: "",
  more_keys: [],
  ...usualSettings,
};

type FilledValues = Pick<
  ProviderFormValues,
  "id" | "base_url" | "protocols" | "auth" | "output_limit_field" | "refused_fields"
>;

/** A service's known values, which its preset fills in. */
function listPresetValues(name: ProviderFormValues["preset"]): FilledValues {
  if (name === NO_PRESET || name === "other") {
    const { id, base_url, protocols, auth, output_limit_field, refused_fields } = emptyProvider;
    return { id, base_url, protocols, auth, output_limit_field, refused_fields };
  }
  const preset = findPreset(name);
  return {
    id: name,
    base_url: preset.baseUrl ?? "",
    protocols: [...preset.protocols],
    auth: preset.auth,
    output_limit_field: preset.outputLimitField ?? USUAL_LIMIT,
    refused_fields: [...(preset.refusedFields ?? [])],
  };
}

/** The form after a service is chosen: typed values stay, the others become the service's. */
export function choosePreset(typed: ProviderFormValues, preset: PresetName): ProviderFormValues {
  const [before, after] = [listPresetValues(typed.preset), listPresetValues(preset)];
  const untouched = (Object.keys(after) as (keyof FilledValues)[]).filter(
    (name) => String(typed[name]) === String(before[name]),
  );
  return { ...typed, ...Object.fromEntries(untouched.map((name) => [name, after[name]])), preset };
}

export function toTypedSettings(provider: Provider): TypedSettings {
  const { timeouts, protocols, auth, output_limit_field, refused_fields } = provider;
  const typed = {
    ...usualSettings,
    protocols: [...protocols],
    auth,
    messages_base_url: provider.messages_base_url ?? "",
    output_limit_field,
    refused_fields: [...refused_fields],
  };
  for (const name of timeoutNames) typed[name] = timeouts[name] === null ? "" : String(timeouts[name]);
  return typed;
}

export function toProviderDraft({
  kind,
  preset,
  id,
  base_url,
  api_key,
  more_keys,
  messages_base_url: messagesUrl,
  ...typed
}: ProviderFormValues): ProviderDraft {
  const keys = [api_key, ...more_keys.map(({ key }) => key)].filter((key) => key !== "");
  return {
    kind,
    ...(preset && { preset }),
    id,
    base_url,
    ...(keys.length === 1 && { api_key: keys[0] }),
    ...(keys.length > 1 && { api_keys: keys }),
    // Empty leaves it to the preset, which may know another path for messages.
    ...(messagesUrl.trim() && { messages_base_url: messagesUrl.trim() }),
    ...toProviderChange(typed),
  };
}

/** The typed settings in the API's form. An empty time limit is the default, an empty address the base address. */
export function toProviderChange(typed: Partial<TypedSettings>): Omit<ProviderChange, "api_keys"> {
  const { protocols, auth, output_limit_field: limitField, refused_fields } = typed;
  const messagesUrl = typed.messages_base_url?.trim();
  const named = timeoutNames.flatMap((name) => {
    const text = typed[name];
    return text === undefined ? [] : [[name, text.trim() === "" ? null : Number(text)] as const];
  });
  const timeouts: ProviderTimeouts = Object.fromEntries(named);
  return {
    ...(protocols !== undefined && { protocols }),
    ...(auth !== undefined && { auth }),
    ...(messagesUrl !== undefined && { messages_base_url: messagesUrl || null }),
    ...(named.length > 0 && { timeouts }),
    ...(limitField !== undefined && { output_limit_field: limitField === USUAL_LIMIT ? null : limitField }),
    ...(refused_fields !== undefined && { refused_fields }),
  };
}

/** What each field is for, and what a call does without it. */
export const refusableFields: Readonly<Record<OmittableField, string>> = {
  stream_options: "Asks for the usage at a stream’s end; without it, usage is estimated",
  user: "The user’s id",
  long_user: "A user’s id of more than 64 characters; its hash is sent instead",
  strict: "That schemas of tools and answers are followed strictly",
  temperature: "A sampling setting",
  top_p: "A sampling setting",
  top_k: "A sampling setting",
  stop: "The texts that end an answer",
  parallel_tool_calls: "Whether several tools may be called at once",
  reasoning_effort: "How long to think",
  verbosity: "How long the answer is",
  prompt_cache_key: "What a cached prompt is found by",
  prompt_cache_retention: "How long a prompt stays cached",
  safety_identifier: "The user’s id, for the provider’s checks of abuse",
  response_format: "The form of pictures; those that come as addresses aren’t taken",
  encoding_format: "The form of embeddings; numbers are packed where base64 was asked for",
};

export const protocolSentences: Readonly<Record<ProviderProtocol, string>> = {
  chat: "Chat completions, as OpenAI and most servers speak them",
  messages: "Anthropic’s messages",
  responses: "OpenAI’s responses; not used for chat and messages",
};

export const authTitles: Readonly<Record<ProviderAuth, string>> = {
  bearer: "Authorization: Bearer",
  "x-api-key": "x-api-key",
  "api-key": "api-key",
  sigv4: "Signature of AWS (SigV4)",
};
