import type { Measure } from "@/lib/contract/rate-limit-table";
import type { AdmissionRequest } from "./admissions";

/** The tokens of a call that count in the token limits: its prompt and its expected output. */
export function estimateTokens(request: AdmissionRequest, maxOutputTokens: number): number {
  const expected = Math.min(request.expectedOutputTokens, maxOutputTokens) * request.choices;
  return (request.countedPromptTokens ?? request.promptTokens) + expected;
}

/** Returns a call's demand on each limit. */
export function measureDemand(
  requests: number,
  tokens: number,
  { images = 0, audioMegabytes = 0, batchInputTokens = 0 }: AdmissionRequest,
): Readonly<Record<Measure, number>> {
  return { requests, tokens, images, audioMegabytes, batchInputTokens };
}
