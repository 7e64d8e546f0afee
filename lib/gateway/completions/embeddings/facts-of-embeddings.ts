import type { CompletionFacts } from "../completion-facts";
import { readUsage } from "../read-usage";

/** @throws Error for anything but an object with a list of embeddings. */
export function factsOfEmbeddings(reply: unknown): CompletionFacts {
  const { data, usage } = (reply ?? {}) as { data?: unknown; usage?: unknown };
  if (!Array.isArray(data)) throw new Error("The provider's reply has no data");
  const { prompt_tokens } = (usage ?? {}) as { prompt_tokens?: unknown };
  return { reported: readUsage({ prompt_tokens, completion_tokens: 0 }), writtenBytes: 0 };
}
