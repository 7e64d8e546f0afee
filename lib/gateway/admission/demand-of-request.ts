import type { Measure } from "@/lib/contract/rate-limit-table";
import type { AdmissionRequest } from "./admissions";

/** What a call counts in the token limits: its prompt, and the output that is expected of it. */
export function estimatedTokensOf(request: AdmissionRequest, maxOutputTokens: number): number {
  const expected = Math.min(request.expectedOutputTokens, maxOutputTokens) * request.choices;
  return (request.countedPromptTokens ?? request.promptTokens) + expected;
}

/** What a call takes of the limits. */
export function demandOf(
  requests: number,
  tokens: number,
  { images = 0, audioMegabytes = 0, batchInputTokens = 0 }: AdmissionRequest,
): Readonly<Record<Measure, number>> {
  return { requests, tokens, images, audioMegabytes, batchInputTokens };
}
