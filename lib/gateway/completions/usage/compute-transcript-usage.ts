import type { ReportedUsage } from "@/lib/money/charge";
import type { AdmissionRequest } from "../../admission/admissions";
import type { ChargeBasis } from "../../balance/funds";
import { estimateWrittenTokens } from "./estimate-written-tokens";
import { isTokenCount } from "./read-usage";

/** What a transcript is charged for. */
export interface TranscriptUsage {
  readonly usage: ReportedUsage;
  readonly basis: Extract<ChargeBasis, "reported" | "estimated">;
}

/**
 * The tokens that a provider reports in the `usage` of a transcript. Input is audio, except what it reports as text.
 * Null where it reports none, or implausible ones.
 */
export function readTranscriptTokens(usage: unknown): ReportedUsage | null {
  if (typeof usage !== "object" || usage === null) return null;
  const { type, input_tokens, output_tokens, input_token_details } = usage as Record<string, unknown>;
  if (type !== "tokens" || !isTokenCount(input_tokens) || !isTokenCount(output_tokens)) return null;
  const { audio_tokens, text_tokens } = (input_token_details ?? {}) as Record<string, unknown>;
  const texts = isTokenCount(text_tokens) ? Math.min(text_tokens, input_tokens) : 0;
  const heard = isTokenCount(audio_tokens) ? Math.min(audio_tokens, input_tokens) : input_tokens - texts;
  return {
    promptTokens: input_tokens,
    completionTokens: output_tokens,
    ...(heard > 0 && { audio: { promptTokens: heard, completionTokens: 0 } }),
  };
}

/** The reported tokens, or else the estimate of its recording and of the bytes that were written. */
export function computeTranscriptUsage(
  reported: ReportedUsage | null,
  writtenBytes: number,
  { promptTokens, maxOutputTokens }: Pick<AdmissionRequest, "promptTokens" | "maxOutputTokens">,
): TranscriptUsage {
  if (reported) return { usage: reported, basis: "reported" };
  const completionTokens = estimateWrittenTokens(writtenBytes, maxOutputTokens);
  return { usage: { promptTokens, completionTokens }, basis: "estimated" };
}
