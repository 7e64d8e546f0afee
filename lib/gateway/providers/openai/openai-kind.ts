import { estimateInputs } from "../prompt-size/estimate-inputs";
import { estimatePrompt } from "../prompt-size/estimate-prompt";
import type { ProviderKind } from "../provider-kind";
import { findDefaultOutputLimitField } from "./find-default-output-limit-field";
import { createOpenaiClient } from "./openai-client";
import { createOpenaiMediaClient } from "./openai-media-client";

/** Any server that speaks OpenAI's protocol. */
export const openaiKind: ProviderKind = {
  createClient: (server) => createOpenaiClient(server),
  editsImages: true,
  createMediaClient: (server) => createOpenaiMediaClient(server),
  defaultOutputLimitField: findDefaultOutputLimitField,
  estimatePrompt,
  estimateInputs,
  isTokenPerEvent: false,
};
