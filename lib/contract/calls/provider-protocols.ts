// Without schemas, so that a screen that uses it doesn’t load Zod.

import { isMediaFamily, type MediaFamily, type ModelFamily, mediaFamilies } from "./model-families";

/**
 * Fields that a call is sent without where its server refuses them. Without `stream_options` usage is estimated, and
 * without `encoding_format` numbers are packed. Instead of a `long_user`, one of more than 64 characters, its hash is
 * sent, and `response_format` is that of orders of pictures. The others are hints.
 */
export const omittableFields = [
  "stream_options",
  "user",
  "long_user",
  "strict",
  "temperature",
  "top_p",
  "top_k",
  "stop",
  "parallel_tool_calls",
  "reasoning_effort",
  "verbosity",
  "prompt_cache_key",
  "prompt_cache_retention",
  "safety_identifier",
  "response_format",
  "encoding_format",
] as const;
export type OmittableField = (typeof omittableFields)[number];

/**
 * The default time limits of a provider. A model that thinks sends nothing meanwhile, and clients' libraries wait ten
 * minutes.
 */
export const defaultTimeouts = {
  connect_seconds: 5,
  whole_answer_seconds: 600,
  first_event_seconds: 600,
  idle_seconds: 300,
  total_seconds: 3_600,
};

/** The protocols in which calls are sent to servers: chat completions, Anthropic's messages, and OpenAI's responses. */
export const providerProtocols = ["chat", "messages", "responses"] as const;
export type ProviderProtocol = (typeof providerProtocols)[number];

/**
 * How a server is shown the key: as `Authorization: Bearer`, in a header of that name, or as a signature of AWS. Its
 * key is `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, and `:SESSION_TOKEN` for a temporary one.
 */
export const providerAuths = ["bearer", "x-api-key", "api-key", "sigv4"] as const;
export type ProviderAuth = (typeof providerAuths)[number];

/** Whether a server that speaks these can be asked for this family. Messages are of chat alone. */
export function canAsk(protocols: readonly ProviderProtocol[], family: ModelFamily): boolean {
  return family === "chat" || protocols.includes("chat");
}

/** Whether calls can be sent to a server that speaks these. */
export function isCallable(protocols: readonly ProviderProtocol[]): boolean {
  return protocols.includes("chat") || protocols.includes("messages");
}

/**
 * The kinds of providers, with their display names. How the gateway calls each is defined in
 * `lib/gateway/providers/provider-link.ts`.
 */
export const providerKindTitles = {
  sandbox: "sandbox, not an AI",
  openai: "OpenAI-compatible",
  http: "HTTP task API",
} as const;

export type ProviderKindName = keyof typeof providerKindTitles;

/** The built-in kind, which has no server. */
type BuiltInKind = "sandbox";
/** The kind whose API is mapped in the configuration file, and nowhere else. */
export type MappedKind = "http";
/** The kinds that an administrator can add. */
export type HostedKind = Exclude<ProviderKindName, BuiltInKind | MappedKind>;

export const providerKindNames = Object.keys(providerKindTitles) as ProviderKindName[];
export const hostedKinds = providerKindNames.filter(
  (name): name is HostedKind => name !== "sandbox" && name !== "http",
);
/** The default kind in the form that adds a provider. */
export const defaultHostedKind: HostedKind = "openai";

interface ServedFamilies {
  /** Whether it answers calls, as models of all other families need. */
  readonly answers: boolean;
  /** The families whose files it makes; null for the kind whose task API names them. */
  readonly makes: readonly MediaFamily[] | null;
}

/** What each kind serves: whether its `ProviderKind` has `answers`, and what its `files` make. */
const servedFamilies: Readonly<Record<ProviderKindName, ServedFamilies>> = {
  sandbox: { answers: true, makes: mediaFamilies },
  openai: { answers: true, makes: ["image", "video"] },
  http: { answers: false, makes: null },
};

/** The families whose files a provider makes. @param makes those that its task API names, if it has one. */
export function listMadeFamilies(
  kind: ProviderKindName,
  makes: readonly MediaFamily[] = [],
): readonly MediaFamily[] {
  return servedFamilies[kind].makes ?? makes;
}

/** Whether a provider serves models of a family. Parameters are as in `listMadeFamilies`. */
export function servesFamily(
  kind: ProviderKindName,
  makes: readonly MediaFamily[] | undefined,
  family: ModelFamily,
): boolean {
  if (isMediaFamily(family)) return listMadeFamilies(kind, makes).includes(family);
  return servedFamilies[kind].answers;
}

/** The possible request fields for the output limit. */
export const outputLimitFields = ["max_tokens", "max_completion_tokens"] as const;
export type OutputLimitField = (typeof outputLimitFields)[number];

/** The most keys of a provider. */
export const MAX_KEYS = 20;
