import type { OutputLimitField } from "@/lib/contract/operations/models/providers";
import type { Clock } from "../../clock";
import type { ResolveHost } from "../../http/outbound/allowed-addresses";
import { countLeastPromptTokens, estimateInputs, estimatePrompt } from "../prompt-size/estimate-prompt";
import type { AnsweringClient } from "../provider-client";
import type { ProviderKind, ProviderServer } from "../provider-kind";
import { createOpenaiMediaClient } from "./openai-media-client";
import { OpenaiServer } from "./openai-server";

/** Servers whose newer models reject `max_tokens`; other servers often support nothing else. */
const serversWithNewerField =
  /(^|\.)(openai\.com|openai\.azure\.com|cognitiveservices\.azure\.com|services\.ai\.azure\.com)$/;

/** Any server that speaks OpenAI's protocols, or Anthropic's messages. */
export const openaiKind: ProviderKind = {
  createClient: (server, clock) => createOpenaiClient(server, clock),
  answers: {
    defaultOutputLimitField: findDefaultOutputLimitField,
    estimatePrompt: (prompt, contextWindow) => ({
      ...estimatePrompt(prompt, contextWindow),
      minPromptTokens: countLeastPromptTokens(prompt.value.messages),
    }),
    estimateInputs,
    isTokenPerEvent: false,
  },
  files: { createClient: (server, clock) => createOpenaiMediaClient(server, clock), editsImages: true },
};

/** The default request field for the output limit of a server. */
function findDefaultOutputLimitField(baseUrl: string): OutputLimitField {
  return serversWithNewerField.test(new URL(baseUrl).hostname) ? "max_completion_tokens" : "max_tokens";
}

/** An OpenAI-compatible server. `baseUrl` has no trailing slash and ends in `/v1` if the server has one. */
export function createOpenaiClient(
  options: ProviderServer,
  clock: Pick<Clock, "nowMs">,
  resolve?: ResolveHost,
): AnsweringClient {
  const server = new OpenaiServer(options, clock, resolve);
  return {
    reach: (ms) => server.connection.reach(ms),
    conceal: (text) => server.conceal(text),
    listModels: () => server.listModels(),
    send: ({ endpoint, body, traceparent, headers }) =>
      server.send({ method: "POST", path: endpoint, body, traceparent, headers }),
  };
}
