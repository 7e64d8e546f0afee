import type { ProviderKind } from "../media-client";
import { countCarried, measureMedia, type Prompt } from "../prompt-size/estimate-prompt";
import { createSandboxMediaClient } from "../sandbox-media/sandbox-media-client";
import { countInputWords } from "./embed-text";
import { createSandboxClient } from "./sandbox-client";
import { countPromptWords } from "./split-words";

/** The offline stand-in. One word is exactly one token. */
export const sandboxKind: ProviderKind = {
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
