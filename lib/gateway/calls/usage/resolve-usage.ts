import { isObject } from "@/lib/contract/json-value";
import type { AudioTokens, ReportedUsage, TokenUsage } from "@/lib/money/charge";
import type { ChargeBasis } from "../../ledger/funds";
import { MAX_TOKEN_BYTES } from "../../providers/prompt-size/estimate-prompt";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import { type ReportedFigures, readCount, readUsage } from "./read-usage";

export type OutputUsage = Pick<TokenUsage, "completionTokens" | "audio">;

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

/** The size of a model's output, by the price of its tokens. */
export interface OutputSize {
  readonly textBytes: number;
  /** The length of speech in characters of base64. */
  readonly speechLength: number;
  readonly pictures: number;
}

export const NO_OUTPUT: OutputSize = { textBytes: 0, speechLength: 0, pictures: 0 };

/** What a model wrote for one choice: its message, or the delta of one. */
type Written = Readonly<Record<string, unknown>>;

/** The size of the messages of a completion's choices, or of the deltas of a chunk's. */
export function measureOutput(choices: unknown, part: "message" | "delta"): OutputSize {
  if (!Array.isArray(choices)) return NO_OUTPUT;
  let [textBytes, speechLength, pictures] = [0, 0, 0];
  for (const choice of choices) {
    const written: unknown = (choice as Written | null)?.[part];
    if (!isObject(written)) continue;
    textBytes += measureText(written);
    speechLength += isObject(written.audio) ? measureString(written.audio.data) : 0;
    pictures += countPictures(written);
  }
  return { textBytes, speechLength, pictures };
}

/**
 * The size in bytes of the text that a model wrote: content, refusal, reasoning, tool calls, and the transcript of
 * speech. Everything else that providers add is no text: media, citations, signatures, a second copy of the reasoning.
 */
function measureText(written: Written): number {
  const { content, refusal, reasoning, reasoning_content, tool_calls, function_call, audio } = written;
  return (
    measureContent(content) +
    measureString(refusal) +
    // These are two names for one thing; some servers send both.
    Math.max(measureString(reasoning), measureString(reasoning_content)) +
    measureToolCalls(tool_calls) +
    measureCalled(function_call) +
    (isObject(audio) ? measureString(audio.transcript) : 0)
  );
}

/** The size of a message's blocks, or of the deltas of one. What a server's tool found is no output. */
export function measureBlocks(blocks: unknown): OutputSize {
  const textBytes = (Array.isArray(blocks) ? blocks : []).reduce<number>((sum, block: unknown) => {
    if (!isObject(block)) return sum;
    const { text, thinking, partial_json, name, input } = block;
    const written = [text, thinking, partial_json, name].map(measureString);
    // A stream's block begins with an empty input.
    const call = isObject(input) && Object.keys(input).length > 0 ? measureArguments(input) : 0;
    return written.reduce((all, bytes) => all + bytes, sum + call);
  }, 0);
  return textBytes === 0 ? NO_OUTPUT : { ...NO_OUTPUT, textBytes };
}

/** Pictures in a list of their own, as OpenRouter sends Gemini's, or among the parts of the content. */
function countPictures({ images, content }: Written): number {
  const parts = Array.isArray(content) ? content : [];
  const listed = Array.isArray(images) ? images.length : 0;
  return parts.reduce<number>((sum, part: unknown) => sum + Number(isPicture(part)), listed);
}

function isPicture(part: unknown): boolean {
  return isObject(part) && (part.type === "image_url" || part.type === "output_image");
}

/** A text, or parts with a text. Mistral has parts of reasoning, which have parts of their own. */
function measureContent(content: unknown): number {
  if (!Array.isArray(content)) return measureString(content);
  return content.reduce<number>((sum, part: unknown) => {
    if (!isObject(part)) return sum;
    return sum + measureString(part.text) + measureString(part.refusal) + measureContent(part.thinking);
  }, 0);
}

function measureToolCalls(calls: unknown): number {
  if (!Array.isArray(calls)) return 0;
  return calls.reduce<number>(
    (sum, call: unknown) =>
      isObject(call) ? sum + measureCalled(call.function) + measureCalled(call.custom) : sum,
    0,
  );
}

/** The call of a function, or of a custom tool, which has an `input` instead of arguments. */
function measureCalled(called: unknown): number {
  if (!isObject(called)) return 0;
  return measureString(called.name) + measureArguments(called.arguments) + measureString(called.input);
}

/** A text, or the object that some servers send in its place. */
function measureArguments(value: unknown): number {
  return isObject(value) || Array.isArray(value)
    ? measureString(JSON.stringify(value))
    : measureString(value);
}

function measureString(value: unknown): number {
  return typeof value === "string" ? Buffer.byteLength(value) : 0;
}

/** Characters of base64: OpenAI streams speech as 16-bit PCM at 24 kHz, a token for 50 ms. */
const SPEECH_LENGTH_PER_TOKEN = 3_200;
/** The length of speech that has as many tokens as a byte of text. */
export const SPEECH_LENGTH_PER_TEXT_BYTE = 800;
/** What Gemini counts for a picture of 1,024 by 1,024 pixels. */
const TOKENS_PER_PICTURE = 1_290;

/** The usage of output that nobody reported; at most `max` tokens. @param textTokens where they are known better. */
export function estimateOutputUsage(
  { textBytes, speechLength, pictures }: OutputSize,
  max: number,
  textTokens = estimateWrittenTokens(textBytes),
): OutputUsage {
  const speechTokens = Math.min(Math.ceil(speechLength / SPEECH_LENGTH_PER_TOKEN), max);
  const completionTokens = Math.min(textTokens + speechTokens + pictures * TOKENS_PER_PICTURE, max);
  if (speechTokens === 0) return { completionTokens };
  return { completionTokens, audio: { promptTokens: 0, completionTokens: speechTokens } };
}

/**
 * The fewest tokens that this output can have. Pictures and speech have at least one.
 * @param bytesPerByte how many bytes of text were counted for one, at most.
 */
export function countLeastOutput(
  { textBytes, speechLength, pictures }: OutputSize,
  bytesPerByte = 1,
): number {
  const least = Math.ceil(textBytes / (MAX_TOKEN_BYTES * bytesPerByte));
  return Math.max(least, speechLength + pictures > 0 ? 1 : 0);
}

const BYTES_PER_TOKEN = 4;

/** The tokens of output whose usage nobody reported, by its length in bytes; at most `max`. */
export function estimateWrittenTokens(bytes: number, max = Number.POSITIVE_INFINITY): number {
  return Math.min(Math.ceil(bytes / BYTES_PER_TOKEN), max);
}

/** The size of what a model wrote in the items of a response. */
export function measureItems(output: readonly Written[]): OutputSize {
  const textBytes = output.reduce<number>((sum, { content, summary, arguments: json, input }) => {
    const parts = [content, summary].flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
    const texts = [...parts.map(({ text, refusal }) => text ?? refusal), json, input];
    return texts.reduce<number>(
      (bytes, text) => bytes + (typeof text === "string" ? Buffer.byteLength(text) : 0),
      sum,
    );
  }, 0);
  return { ...NO_OUTPUT, textBytes };
}
