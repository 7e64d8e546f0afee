import { isObject } from "@/lib/contract/json-value";
import type { AudioTokens, ReportedUsage, TokenUsage } from "@/lib/money/charge";
import type { ChargeBasis } from "../../ledger/funds";
import { MAX_TOKEN_BYTES } from "../../providers/prompt-size/estimate-prompt";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import { estimateWrittenTokens } from "../replies/output-size";
import { type ReportedFigures, readCount, readUsage } from "./read-usage";

type OutputUsage = Pick<TokenUsage, "completionTokens" | "audio">;

/** What the gateway itself knows of a call's usage. */
interface Evidence {
  /** The estimates, which replace figures that are missing or can't be true. */
  readonly promptTokens: number;
  readonly output: OutputUsage;
  /** Whether the call asked for priority. */
  readonly isPriority?: true | undefined;
  /** The calls of tools if none are reported. */
  readonly toolCalls?: TokenUsage["toolCalls"];
  /** No true figure is below these. */
  readonly minPromptTokens: number;
  readonly minCompletionTokens: number;
}

/** A usage that is charged, and whether all of it was reported. */
export interface ResolvedUsage {
  readonly usage: ReportedUsage;
  readonly basis: Extract<ChargeBasis, "reported" | "estimated">;
}

/**
 * The usage of a call by the figures that its provider reports. A figure that is missing is the total less the other,
 * and one that can't be true is estimated, while the other stays.
 */
export function resolveUsage(figures: ReportedFigures | null, evidence: Evidence): ResolvedUsage {
  const { usage, basis } = resolveTokens(figures, evidence);
  const toolCalls = figures?.toolCalls ?? evidence.toolCalls;
  const isStandardTier =
    evidence.isPriority && figures?.tier !== undefined && standardTiers.has(figures.tier);
  if (!toolCalls && !isStandardTier) return { usage, basis };
  return {
    usage: { ...usage, ...(toolCalls && { toolCalls }), ...(isStandardTier && { isStandardTier }) },
    basis,
  };
}

/** The tiers of a call that was given no priority. */
const standardTiers: ReadonlySet<string> = new Set(["default", "standard", "auto", "on_demand", "flex"]);

function resolveTokens(figures: ReportedFigures | null, evidence: Evidence): ResolvedUsage {
  const { promptTokens, output } = evidence;
  if (!figures) return { usage: { promptTokens, ...output }, basis: "estimated" };
  const { prompt, completion } = findTrueFigures(figures, evidence);
  if (prompt === null && completion === null) {
    const usage = splitTotal(figures, evidence) ?? {
      promptTokens,
      completionTokens: output.completionTokens,
    };
    return { usage: describe(usage, figures, output.audio), basis: "estimated" };
  }
  const basis = prompt === null || completion === null ? "estimated" : "reported";
  const usage = {
    promptTokens: prompt ?? Math.max(promptTokens, countCredibleCached(figures, evidence)),
    completionTokens: completion ?? output.completionTokens,
  };
  return { usage: describe(usage, figures, completion === null ? output.audio : undefined), basis };
}

/** The reported figures, by themselves or by the total; null where there is none that can be true. */
function findTrueFigures(figures: ReportedFigures, evidence: Evidence) {
  const { promptTokens, completionTokens, totalTokens } = figures;
  const { minCompletionTokens } = evidence;
  const minPrompt = Math.max(evidence.minPromptTokens, countCredibleCached(figures, evidence));
  const prompt = atLeast(minPrompt, promptTokens);
  const completion = atLeast(minCompletionTokens, completionTokens);
  if (totalTokens === null || (prompt === null && completion === null)) return { prompt, completion };
  if (prompt === null) return { prompt: atLeast(minPrompt, totalTokens - (completion ?? 0)), completion };
  const remainder = totalTokens - prompt;
  if (completion === null) return { prompt, completion: atLeast(minCompletionTokens, remainder) };
  return { prompt, completion: hasReasoningBeside(figures, remainder - completion) ? remainder : completion };
}

/** Cached tokens are part of a prompt, so many more of them than the prompt was estimated at say nothing. */
function countCredibleCached({ cachedTokens = 0 }: ReportedFigures, { promptTokens }: Evidence): number {
  return cachedTokens <= 2 * promptTokens ? cachedTokens : 0;
}

function atLeast(min: number, count: number | null): number | null {
  return count !== null && count >= Math.max(min, 0) ? count : null;
}

/**
 * xAI counts reasoning beside `completion_tokens`, and so do servers that translate Gemini's answers; its price is that
 * of output. The total then exceeds the sum by the reasoning, or by an amount that no detail explains.
 */
function hasReasoningBeside({ reasoningTokens, hasDetails }: ReportedFigures, beside: number): boolean {
  return beside > 0 && (reasoningTokens === beside || !hasDetails);
}

/** The two figures of a total alone, in proportion to their estimates. */
function splitTotal({ totalTokens }: ReportedFigures, evidence: Evidence): TokenUsage | null {
  const { promptTokens, output, minPromptTokens, minCompletionTokens } = evidence;
  if (totalTokens === null || totalTokens < Math.max(1, minPromptTokens + minCompletionTokens)) return null;
  const share = promptTokens / Math.max(1, promptTokens + output.completionTokens);
  const most = totalTokens - minCompletionTokens;
  const prompt = Math.min(most, Math.max(minPromptTokens, Math.round(totalTokens * share)));
  return { promptTokens: prompt, completionTokens: totalTokens - prompt };
}

/** @param estimatedAudio of an output that was estimated. */
function describe(
  { promptTokens, completionTokens }: TokenUsage,
  { reasoningTokens, ...figures }: ReportedFigures,
  estimatedAudio: AudioTokens | undefined,
): ReportedUsage {
  const { audioPromptTokens = 0, audioCompletionTokens = 0 } = figures;
  const audio = {
    promptTokens: Math.min(audioPromptTokens, promptTokens),
    completionTokens: Math.min(
      Math.max(audioCompletionTokens, estimatedAudio?.completionTokens ?? 0),
      completionTokens,
    ),
  };
  return {
    promptTokens,
    completionTokens,
    ...resolveCache(promptTokens, figures),
    ...(reasoningTokens !== undefined && { reasoningTokens: Math.min(reasoningTokens, completionTokens) }),
    ...(audio.promptTokens + audio.completionTokens > 0 && { audio }),
  };
}

/** The parts of a prompt that were cached. Where the figures can't all be true, none of them is believed. */
export function resolveCache(promptTokens: number, figures: ReportedFigures): Partial<ReportedUsage> {
  const { cachedTokens, cacheWriteTokens, cacheWrite1hTokens } = figures;
  const [read = 0, written = 0, for1h = 0] = [cachedTokens, cacheWriteTokens, cacheWrite1hTokens];
  const most = Math.min(promptTokens, figures.promptTokens || promptTokens);
  if (figures.isCacheContradicted || read + written > most || for1h > written)
    return { isCacheContradicted: true };
  return {
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(for1h > 0 && { cacheWrite1hTokens: for1h }),
  };
}

/** Whether a reply's own `usage` shows what is charged, so that it needs no other. */
export function showsCharge(figures: ReportedFigures | null, charged: TokenUsage, isInputAlone = false) {
  const shown = figures?.shown;
  if (!shown || shown.promptTokens !== charged.promptTokens) return false;
  return isInputAlone || shown.completionTokens === charged.completionTokens;
}

/**
 * The tokens that a provider reports in the `usage` of a transcript. Input is audio, except what it reports as text.
 * Null where it reports none.
 */
export function readTranscriptTokens(usage: unknown): ReportedFigures | null {
  if (!isObject(usage) || usage.type === "duration") return null;
  const figures = readUsage(usage);
  const { input_token_details: details } = usage;
  const texts = (isObject(details) ? readCount(details.text_tokens) : null) ?? 0;
  const { promptTokens, audioPromptTokens = Math.max(0, (promptTokens ?? 0) - texts) } = figures;
  return { ...figures, audioPromptTokens };
}

/** The reported tokens, or else the estimate of its recording and of the bytes that were written. */
export function computeTranscriptUsage(
  reported: ReportedFigures | null,
  writtenBytes: number,
  { promptTokens, maxOutputTokens }: Pick<AdmissionRequest, "promptTokens" | "maxOutputTokens">,
): ResolvedUsage {
  return resolveUsage(reported, {
    promptTokens,
    output: { completionTokens: estimateWrittenTokens(writtenBytes, maxOutputTokens) },
    minPromptTokens: Math.min(1, promptTokens),
    minCompletionTokens: Math.ceil(writtenBytes / MAX_TOKEN_BYTES),
  });
}
