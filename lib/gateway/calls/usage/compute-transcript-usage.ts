import { isObject } from "@/lib/contract/json-value";
import { MAX_TOKEN_BYTES } from "../../providers/prompt-size/estimate-prompt";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import { estimateWrittenTokens } from "../replies/output-size";
import { type ReportedFigures, readCount, readUsage } from "./read-usage";
import { type ResolvedUsage, resolveUsage } from "./resolve-usage";

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
