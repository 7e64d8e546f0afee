import type { OutputLimitField, ProviderKindName } from "@/lib/contract/calls/provider-protocols";
import type { TaskApi } from "@/lib/contract/calls/task-api";
import { findPlaceholders } from "@/lib/contract/calls/task-template";
import type { Clock } from "../clock";
import { ServerConnection } from "../http/outbound/server-connection";
import type { Provider } from "../models/providers/provider-directory";
import { createTaskApiClient } from "./http-tasks/task-api-client";
import type { AnswerKind, MediaOrder, OrderFault, ProviderKind } from "./media-client";
import { createOpenaiMediaClient } from "./openai/openai-media-client";
import { createOpenaiClient } from "./openai/openai-server";
import {
  countCarried,
  countLeastPromptTokens,
  estimateInputs,
  estimatePrompt,
  measureMedia,
  type Prompt,
} from "./prompt-size/estimate-prompt";
import { countInputWords, countPromptWords } from "./sandbox/embed-text";
import { createSandboxClient } from "./sandbox/sandbox-client";
import { createSandboxMediaClient } from "./sandbox-media/sandbox-media-client";

/** The offline stand-in. One word is exactly one token. */
const sandboxKind: ProviderKind = {
  createClient: (_, clock) => createSandboxClient({ clock }),
  answers: {
    defaultOutputLimitField: () => "max_tokens",
    estimatePrompt(prompt) {
      const words = countWords(prompt);
      const mediaCounts = countCarried(measureMedia(prompt.value.messages));
      return { promptTokens: words, countedPromptTokens: words, maxPromptTokens: words, ...mediaCounts };
    },
    estimateInputs(inputs) {
      const words = inputs.reduce<number>((sum, input) => sum + countInputWords(input), 0);
      return {
        promptTokens: words,
        countedPromptTokens: words,
        maxPromptTokens: words,
        ...countCarried(null),
      };
    },
    isTokenPerEvent: true,
  },
  files: { createClient: (_, clock) => createSandboxMediaClient(clock), editsImages: true },
};

function countWords({ value }: Prompt): number {
  const instruction = value.prompt ? [{ role: "system" as const, content: value.prompt }] : [];
  return countPromptWords([...instruction, ...value.messages]);
}

/** Finds what a call asks for and the mapping has no place for, so that nothing is accepted and then left out. */
export function findOrderFault(
  { submit }: TaskApi,
  { count, size, isSizeFree, quality, extraFields }: Omit<MediaOrder, "model">,
): OrderFault | null {
  const placeholders = findPlaceholders([submit.path, submit.body]);
  const unsent = (field: string, what: string): OrderFault => ({
    field,
    message: `The provider of this model is not sent ${what}: leave ${field} out.`,
  });
  if (count > 1 && !placeholders.has("count")) return unsent("n", "a number of files");
  const hasSize = placeholders.has("size") || (placeholders.has("width") && placeholders.has("height"));
  if (size && !isSizeFree && !hasSize) return unsent("size", "a size");
  if (quality !== null && !placeholders.has("quality")) return unsent("quality", "a quality");
  if (placeholders.has("parameters")) return null;
  const other = Object.keys(extraFields).find((name) => !placeholders.has(`parameters.${name}`));
  return other === undefined ? null : unsent(other, "this field");
}

/** Any server with a task API that the configuration file maps (`TaskApi`). */
const httpKind: ProviderKind = {
  createClient(server) {
    const connection = new ServerConnection(server, {});
    return { reach: (ms) => connection.reach(ms) };
  },
  files: {
    createClient: (server, clock) => createTaskApiClient(server, clock),
    findOrderFault: ({ taskApi }, order) => (taskApi ? findOrderFault(taskApi, order) : null),
  },
};

/** Servers whose newer models reject `max_tokens`; other servers often support nothing else. */
const serversWithNewerField =
  /(^|\.)(openai\.com|openai\.azure\.com|cognitiveservices\.azure\.com|services\.ai\.azure\.com)$/;

/** Any server that speaks OpenAI's protocols, or Anthropic's messages. */
const openaiKind: ProviderKind = {
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

export const createProviderClient = (provider: Provider, clock: Clock) =>
  providerKinds[provider.kind].createClient(provider, clock);

/** How to call each kind of provider, how to count its tokens, and how it makes files. */
export const providerKinds: Readonly<Record<ProviderKindName, ProviderKind>> = {
  sandbox: sandboxKind,
  openai: openaiKind,
  http: httpKind,
};

/** @throws TypeError for a kind that only makes files: the catalogue lets no other model lead to it. */
export function findAnswerKind(name: ProviderKindName): AnswerKind {
  const { answers } = providerKinds[name];
  if (!answers) throw new TypeError(`A provider of the kind ${name} only makes files`);
  return answers;
}
