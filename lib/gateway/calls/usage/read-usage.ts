import { isObject } from "@/lib/contract/json-value";
import type { ReportedUsage, TokenUsage } from "@/lib/money/charge";
import { formatEvent } from "../../http/event-splitter";

const MAX_TOKENS = 1_000_000_000;
const MAX_TOOLS = 20;
const MAX_TOOL_NAME = 80;
const DIGITS = /^\d{1,10}(\.0+)?$/;

type Members = Readonly<Record<string, unknown>>;

/** What a provider tells of a usage beside the tokens of prompt and answer. */
type UsageDetails = Pick<
  ReportedUsage,
  | "cachedTokens"
  | "cacheWriteTokens"
  | "cacheWrite1hTokens"
  | "reasoningTokens"
  | "isCacheContradicted"
  | "toolCalls"
>;

/** A usage as a provider reports it, figure by figure; null or undefined where a figure is missing or no count. */
export interface ReportedFigures extends UsageDetails {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly totalTokens: number | null;
  readonly audioPromptTokens?: number | undefined;
  readonly audioCompletionTokens?: number | undefined;
  /** The provider's tier that answered, by its own name. */
  readonly tier?: string | undefined;
  /** Whether it tells what its tokens consist of, so that a total hides nothing else. */
  readonly hasDetails: boolean;
  /** What a client finds in the reply's `usage`; null where it finds no figures there. */
  readonly shown: ShownUsage | null;
}

interface ShownUsage {
  readonly promptTokens: unknown;
  readonly completionTokens: unknown;
}

/** The names of the figures with the servers that speak OpenAI's protocol, those of chat completions first. */
const names = {
  prompt: ["prompt_tokens", "input_tokens", "promptTokens", "inputTokens", "promptTokenCount"],
  completion: ["completion_tokens", "output_tokens", "completionTokens", "outputTokens"],
  total: ["total_tokens", "totalTokens", "totalTokenCount"],
  promptDetails: ["prompt_tokens_details", "input_tokens_details", "input_token_details"],
  completionDetails: ["completion_tokens_details", "output_tokens_details", "output_token_details"],
  cached: [
    "cache_read_input_tokens",
    "prompt_cache_hit_tokens",
    "cached_tokens",
    "cacheReadInputTokens",
    "cachedContentTokenCount",
  ],
  cachedDetail: ["cached_tokens", "cache_read_tokens"],
  uncached: ["prompt_cache_miss_tokens"],
  cacheWrite: ["cache_creation_input_tokens", "cacheWriteInputTokens"],
  cacheWriteDetail: ["cache_write_tokens", "cache_creation_tokens"],
  /** Objects with the tokens that were written, by how long they are kept. */
  cacheLifetimes: ["cache_creation", "cache_creation_token_details"],
  reasoningDetail: ["reasoning_tokens", "thinking_tokens"],
} as const;

/**
 * The usage that a reply or chunk reports: in `usage`, or where that has no figure, in the one choice, as Moonshot's
 * streams do, in another member, as in Groq's `x_groq`, or in llama.cpp's `timings`. Null where there is none.
 */
export function findUsage(reply: Members): ReportedFigures | null {
  let figures = isObject(reply.usage) ? readUsage(reply.usage) : null;
  for (const name in reply) {
    const member = name === "choices" ? readOnlyChoice(reply.choices) : reply[name];
    if (name === "usage" || !isObject(member)) continue;
    const other =
      name === "timings" ? readTimings(member) : isObject(member.usage) && readUsage(member.usage);
    if (other) figures = joinFigures({ ...other, shown: null }, figures);
  }
  const { service_tier: tier } = reply;
  return figures && typeof tier === "string" ? { ...figures, tier } : figures;
}

function readOnlyChoice(choices: unknown): unknown {
  return Array.isArray(choices) && choices.length === 1 ? choices[0] : null;
}

/** The figures of a `usage`. A count is a whole number up to 10^9, also as text or with a fraction of zero. */
export function readUsage(usage: Members): ReportedFigures {
  const { prompt_tokens, completion_tokens } = usage;
  const promptDetails = findObject(usage, names.promptDetails);
  const completionDetails = findObject(usage, names.completionDetails);
  const isWhole = !promptDetails && !completionDetails;
  const completionTokens = findCount(usage, names.completion);
  const totalTokens = findCount(usage, names.total);
  const cache = readCache(usage, promptDetails);
  return {
    promptTokens: readPrompt(usage, { completionTokens, totalTokens }, cache),
    completionTokens,
    totalTokens,
    ...cache,
    toolCalls: readToolCalls(usage.server_tool_use),
    reasoningTokens: findCount(completionDetails, names.reasoningDetail) ?? undefined,
    audioPromptTokens: findCount(promptDetails, ["audio_tokens"]) ?? undefined,
    audioCompletionTokens: findCount(completionDetails, ["audio_tokens"]) ?? undefined,
    hasDetails: !isWhole,
    shown: { promptTokens: prompt_tokens, completionTokens: completion_tokens },
  };
}

type CacheFigures = Pick<
  ReportedFigures,
  "cachedTokens" | "cacheWriteTokens" | "cacheWrite1hTokens" | "isCacheContradicted"
>;

/** The tokens of a prompt that were read from a cache and written to one. Figures under several names must be equal. */
function readCache(usage: Members, details: Members | null): CacheFigures {
  const cached = [...listCounts(usage, names.cached), ...listCounts(details, names.cachedDetail)];
  const written = [...listCounts(usage, names.cacheWrite), ...listCounts(details, names.cacheWriteDetail)];
  const lifetimes =
    findObject(usage, names.cacheLifetimes) ?? (details && findObject(details, names.cacheLifetimes));
  const [for5m, for1h] = [
    readCount(lifetimes?.ephemeral_5m_input_tokens),
    readCount(lifetimes?.ephemeral_1h_input_tokens),
  ];
  if (for5m !== null || for1h !== null) written.push((for5m ?? 0) + (for1h ?? 0));
  const [cachedTokens, cacheWriteTokens] = [findFirst(cached), findFirst(written)];
  const [miss, prompt] = [findCount(usage, names.uncached), findCount(usage, names.prompt)];
  const isMissed = miss !== null && prompt !== null && miss + (cachedTokens ?? 0) !== prompt;
  return {
    cachedTokens,
    cacheWriteTokens,
    ...(for1h && { cacheWrite1hTokens: for1h }),
    ...((isMissed || differ(cached) || differ(written)) && { isCacheContradicted: true }),
  };
}

/** The tools that the provider ran, such as `web_search_requests`. */
function readToolCalls(uses: unknown): ReportedFigures["toolCalls"] {
  if (!isObject(uses)) return undefined;
  const counts = Object.entries(uses).flatMap(([name, use]) => {
    const count = readCount(use);
    return count && name.length <= MAX_TOOL_NAME ? [[name.replace(/_requests$/, ""), count] as const] : [];
  });
  return counts.length > 0 ? Object.fromEntries(counts.slice(0, MAX_TOOLS)) : undefined;
}

function listCounts(members: Members | null, keys: readonly string[]): number[] {
  const counts: number[] = [];
  if (members === null) return counts;
  for (const key of keys) {
    const count = readCount(members[key]);
    if (count !== null) counts.push(count);
  }
  return counts;
}

/** The first count above 0, or else a 0: some servers write 0 under the names that they don't use. */
function findFirst(counts: readonly number[]): number | undefined {
  return counts.find(Boolean) ?? counts[0];
}

function differ(counts: readonly number[]): boolean {
  return new Set(counts.filter(Boolean)).size > 1;
}

/**
 * Anthropic's `input_tokens` has no cached tokens in it. Servers that also say `prompt_tokens`, and those whose total
 * shows it, count them as OpenAI does.
 */
function readPrompt(
  usage: Members,
  { completionTokens, totalTokens }: Pick<ReportedFigures, "completionTokens" | "totalTokens">,
  { cacheWriteTokens = 0 }: CacheFigures,
): number | null {
  const counted = findCount(usage, names.prompt);
  const isAnthropic = beside.some((name) => name in usage) && !readCount(usage.prompt_tokens);
  if (counted === null || !isAnthropic) return counted;
  const read = findCount(usage, ["cache_read_input_tokens", "cacheReadInputTokens"]) ?? 0;
  const isWhole = totalTokens === counted + (completionTokens ?? 0) && read + cacheWriteTokens <= counted;
  return isWhole ? counted : counted + read + cacheWriteTokens;
}

/** The names by which a server tells that it counts as Anthropic does. */
const beside = [
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "cache_creation",
  "cacheReadInputTokens",
  "cacheWriteInputTokens",
] as const;

/** The `timings` of llama.cpp, where the prompt's figure has no cached tokens in it. */
function readTimings({ prompt_n, cache_n, predicted_n }: Members): ReportedFigures | null {
  const [prompt, cached, completionTokens] = [
    readCount(prompt_n),
    readCount(cache_n),
    readCount(predicted_n),
  ];
  if (prompt === null && completionTokens === null) return null;
  return {
    promptTokens: prompt === null ? null : prompt + (cached ?? 0),
    completionTokens,
    totalTokens: null,
    cachedTokens: cached ?? undefined,
    hasDetails: false,
    shown: null,
  };
}

/**
 * The figures of two reports of one answer: the later ones, and the earlier ones where those are missing or 0. So a
 * last chunk of zeros erases nothing, and the two may come in different chunks.
 */
export function joinFigures(earlier: ReportedFigures | null, later: ReportedFigures | null): ReportedFigures {
  const [before, after] = [earlier ?? noFigures, later ?? noFigures];
  return {
    promptTokens: joinPrompts(before, after),
    completionTokens:
      after.completionTokens ||
      before.completionTokens ||
      (after.completionTokens ?? before.completionTokens),
    totalTokens: after.totalTokens || before.totalTokens,
    cachedTokens: after.cachedTokens || before.cachedTokens || after.cachedTokens,
    cacheWriteTokens: after.cacheWriteTokens || before.cacheWriteTokens || after.cacheWriteTokens,
    cacheWrite1hTokens: after.cacheWrite1hTokens || before.cacheWrite1hTokens,
    isCacheContradicted: after.isCacheContradicted || before.isCacheContradicted,
    toolCalls: after.toolCalls ?? before.toolCalls,
    tier: after.tier ?? before.tier,
    reasoningTokens: after.reasoningTokens || before.reasoningTokens || after.reasoningTokens,
    audioPromptTokens: after.audioPromptTokens || before.audioPromptTokens,
    audioCompletionTokens: after.audioCompletionTokens || before.audioCompletionTokens,
    hasDetails: after.hasDetails || before.hasDetails,
    shown: after.shown ?? before.shown,
  };
}

/** Anthropic's stream may repeat the tokens beside the cached ones without these, which are then no smaller prompt. */
function joinPrompts(before: ReportedFigures, after: ReportedFigures): number | null {
  const cached = (before.cachedTokens ?? 0) + (before.cacheWriteTokens ?? 0);
  const tellsCached = after.cachedTokens !== undefined || after.cacheWriteTokens !== undefined;
  if (cached > 0 && !tellsCached && after.promptTokens === (before.promptTokens ?? 0) - cached)
    return before.promptTokens;
  return after.promptTokens || before.promptTokens || (after.promptTokens ?? before.promptTokens);
}

const noFigures: ReportedFigures = {
  promptTokens: null,
  completionTokens: null,
  totalTokens: null,
  hasDetails: false,
  shown: null,
};

function findObject(usage: Members, keys: readonly string[]): Members | null {
  for (const key of keys) {
    const value = usage[key];
    if (isObject(value)) return value;
  }
  return null;
}

/** The first count above 0 under these names, or else a 0. */
function findCount(members: Members | null, keys: readonly string[]): number | null {
  let found: number | null = null;
  if (members === null) return null;
  for (const key of keys) {
    const count = readCount(members[key]);
    if (count) return count;
    found ??= count;
  }
  return found;
}

/** A number of tokens, which some servers write as text; null for anything else. */
export function readCount(value: unknown): number | null {
  const count = typeof value === "string" && DIGITS.test(value) ? Number(value) : value;
  return Number.isInteger(count) && (count as number) >= 0 && (count as number) <= MAX_TOKENS
    ? (count as number) + 0
    : null;
}

/** The usage of a response, with the calls of tools that its provider ran; null where it reports none. */
export function readResponseUsage({ usage, output, service_tier: tier }: Members): ReportedFigures | null {
  if (!isObject(usage)) return null;
  const figures = readUsage(usage);
  const toolCalls = countHostedCalls(output);
  return {
    ...figures,
    shown: { promptTokens: figures.promptTokens, completionTokens: figures.completionTokens },
    ...(toolCalls && { toolCalls }),
    ...(typeof tier === "string" && { tier }),
  };
}

/** Calls of tools that clients run. */
const clientsCalls = new Set(["function_call", "custom_tool_call", "local_shell_call", "shell_call"]).add(
  "apply_patch_call",
);

function countHostedCalls(output: unknown): Record<string, number> | null {
  const calls: Record<string, number> = {};
  for (const item of Array.isArray(output) ? output : []) {
    const type = isObject(item) ? String(item.type) : "";
    if (!type.endsWith("_call") || clientsCalls.has(type)) continue;
    const name = type.slice(0, -"_call".length);
    calls[name] = (calls[name] ?? 0) + 1;
  }
  return Object.keys(calls).length > 0 ? calls : null;
}

/** Usage in the form of embeddings, which moderations share. */
export function toInputUsageObject({ promptTokens }: TokenUsage) {
  return { prompt_tokens: promptTokens, total_tokens: promptTokens };
}

/** Usage in the form of chat completions, with what its provider told beside. */
export function toChatUsageObject({
  promptTokens,
  completionTokens,
  audio,
  ...details
}: TokenUsage & UsageDetails) {
  const { cachedTokens, cacheWriteTokens = 0, cacheWrite1hTokens, reasoningTokens } = details;
  const prompt = {
    cached_tokens: cachedTokens,
    cache_write_tokens: details.cacheWriteTokens,
    audio_tokens: audio?.promptTokens,
  };
  const completion = { reasoning_tokens: reasoningTokens, audio_tokens: audio?.completionTokens };
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(hasAny(prompt) && {
      prompt_tokens_details: cacheWrite1hTokens
        ? { ...prompt, cache_creation_token_details: toLifetimes(cacheWriteTokens, cacheWrite1hTokens) }
        : prompt,
    }),
    ...(hasAny(completion) && { completion_tokens_details: completion }),
    ...writeToolCalls(details),
  };
}

/** The calls of the provider's tools, in Anthropic's words. */
export function writeToolCalls({ toolCalls }: Pick<TokenUsage, "toolCalls">) {
  if (!toolCalls) return {};
  const uses = Object.entries(toolCalls).map(([name, calls]) => [`${name}_requests`, calls] as const);
  return { server_tool_use: Object.fromEntries(uses) };
}

/** The tokens written to a cache, by how long they are kept, in Anthropic's words. */
export function toLifetimes(cacheWriteTokens: number, cacheWrite1hTokens: number) {
  return {
    ephemeral_5m_input_tokens: cacheWriteTokens - cacheWrite1hTokens,
    ephemeral_1h_input_tokens: cacheWrite1hTokens,
  };
}

function hasAny(details: Readonly<Record<string, number | undefined>>): boolean {
  return Object.values(details).some((count) => count !== undefined);
}

/** The stream event that reports a usage. `head` has the `id`, `created` and `model` of its stream's chunks. */
export function formatUsageEvent(usage: TokenUsage & UsageDetails, head: object): Buffer {
  const object = "chat.completion.chunk";
  return formatEvent({ ...head, object, choices: [], usage: toChatUsageObject(usage) });
}
