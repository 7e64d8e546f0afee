import { isObject } from "@/lib/contract/json-value";

const MAX_TOKENS = 1_000_000_000;
const DIGITS = /^\d{1,10}(\.0+)?$/;

type Members = Readonly<Record<string, unknown>>;

/** What a provider tells of a usage beside what is charged. */
export interface UsageDetails {
  readonly cachedTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

/** A usage as a provider reports it, figure by figure; null or undefined where a figure is missing or no count. */
export interface ReportedFigures extends UsageDetails {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly totalTokens: number | null;
  readonly audioPromptTokens?: number | undefined;
  readonly audioCompletionTokens?: number | undefined;
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
  cached: ["cache_read_input_tokens", "prompt_cache_hit_tokens", "cached_tokens"],
  cacheWrite: ["cache_creation_input_tokens"],
  cacheWriteDetail: ["cache_write_tokens", "cache_creation_tokens"],
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
  return figures;
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
  const cachedTokens = findCount(usage, names.cached) ?? findCount(promptDetails, ["cached_tokens"]);
  const cacheWriteTokens =
    findCount(usage, names.cacheWrite) ?? findCount(promptDetails, names.cacheWriteDetail);
  return {
    promptTokens: readPrompt(usage, { completionTokens, totalTokens }),
    completionTokens,
    totalTokens,
    cachedTokens: cachedTokens ?? undefined,
    cacheWriteTokens: cacheWriteTokens ?? undefined,
    reasoningTokens: findCount(completionDetails, names.reasoningDetail) ?? undefined,
    audioPromptTokens: findCount(promptDetails, ["audio_tokens"]) ?? undefined,
    audioCompletionTokens: findCount(completionDetails, ["audio_tokens"]) ?? undefined,
    hasDetails: !isWhole,
    shown: { promptTokens: prompt_tokens, completionTokens: completion_tokens },
  };
}

/** Anthropic's `input_tokens` has no cached tokens in it. Servers that use both names count them as OpenAI does. */
function readPrompt(
  usage: Members,
  { completionTokens, totalTokens }: Pick<ReportedFigures, "completionTokens" | "totalTokens">,
): number | null {
  const counted = findCount(usage, names.prompt);
  const beside = findCount(usage, ["cache_read_input_tokens"]);
  const isAnthropic = beside !== null && !readCount(usage.prompt_tokens);
  if (counted === null || !isAnthropic || totalTokens === counted + (completionTokens ?? 0)) return counted;
  return counted + beside + (findCount(usage, names.cacheWrite) ?? 0);
}

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
    promptTokens: after.promptTokens || before.promptTokens || (after.promptTokens ?? before.promptTokens),
    completionTokens:
      after.completionTokens ||
      before.completionTokens ||
      (after.completionTokens ?? before.completionTokens),
    totalTokens: after.totalTokens || before.totalTokens,
    cachedTokens: after.cachedTokens || before.cachedTokens || after.cachedTokens,
    cacheWriteTokens: after.cacheWriteTokens || before.cacheWriteTokens || after.cacheWriteTokens,
    reasoningTokens: after.reasoningTokens || before.reasoningTokens || after.reasoningTokens,
    audioPromptTokens: after.audioPromptTokens || before.audioPromptTokens,
    audioCompletionTokens: after.audioCompletionTokens || before.audioCompletionTokens,
    hasDetails: after.hasDetails || before.hasDetails,
    shown: after.shown ?? before.shown,
  };
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
