import type { OutputLimitField } from "@/lib/contract/operations/providers";

/** Servers whose newer models reject `max_tokens`; other servers often support nothing else. */
const newerName =
  /(^|\.)(openai\.com|openai\.azure\.com|cognitiveservices\.azure\.com|services\.ai\.azure\.com)$/;

/** The default request field for the output limit of a server. */
export function findDefaultOutputLimitField(baseUrl: string): OutputLimitField {
  return newerName.test(new URL(baseUrl).hostname) ? "max_completion_tokens" : "max_tokens";
}
