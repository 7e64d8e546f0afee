import type { OutputLimitField } from "@/lib/contract/operations/providers";

/** Those whose newer models refuse `max_tokens`; other servers often know nothing else. */
const newerName =
  /(^|\.)(openai\.com|openai\.azure\.com|cognitiveservices\.azure\.com|services\.ai\.azure\.com)$/;

/** The name by which a server is told the most output, where its provider doesn't say. */
export function usualOutputLimitField(baseUrl: string): OutputLimitField {
  return newerName.test(new URL(baseUrl).hostname) ? "max_completion_tokens" : "max_tokens";
}
