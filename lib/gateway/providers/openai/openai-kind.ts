import { estimateInputs } from "../prompt-size/estimate-inputs";
import { estimatePrompt } from "../prompt-size/estimate-prompt";
import type { ProviderKind } from "../provider-kind";
import { createOpenaiClient } from "./openai-client";
import { usualOutputLimitField } from "./usual-output-limit-field";

/** Any server that speaks OpenAI's protocol. */
export const openaiKind: ProviderKind = {
  createClient: (server) => createOpenaiClient(server),
  usualOutputLimitField,
  estimatePrompt,
  estimateInputs,
  isTokenPerEvent: false,
};
