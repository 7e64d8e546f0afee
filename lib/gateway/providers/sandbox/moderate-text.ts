import type { ModerationRequest } from "@/lib/contract/operations/calls/moderations";
import { splitWords } from "./split-words";

/** OpenAI's categories, each with a word that the sandbox takes for it: `sandbox-violence` flags `violence`. */
const categories = [
  "harassment",
  "harassment/threatening",
  "hate",
  "hate/threatening",
  "illicit",
  "illicit/violent",
  "self-harm",
  "self-harm/instructions",
  "self-harm/intent",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic",
];

/** Flags the texts that name a category as `sandbox-<category>`, and no others. Deterministic, and no AI. */
export function moderate({ model, input }: ModerationRequest, requestId: string): object {
  const isParts = typeof input !== "string" && typeof input[0] === "object";
  const texts =
    typeof input === "string" ? [input] : input.map((one) => (typeof one === "string" ? one : one.text));
  const prompt_tokens = texts.reduce((sum, text) => sum + splitWords(text).length, 0);
  return {
    id: `modr-sandbox-${requestId}`,
    model,
    // Parts are one input together.
    results: (isParts ? [texts.join("\n")] : texts).map(moderateText),
    usage: { prompt_tokens, total_tokens: prompt_tokens },
  };
}

function moderateText(text: string): object {
  const words = new Set(text.toLowerCase().split(/\s+/));
  const isNamed = (category: string) => words.has(`sandbox-${category}`);
  const each = <Value>(readValue: (category: string) => Value) =>
    Object.fromEntries(categories.map((category) => [category, readValue(category)]));
  return {
    flagged: categories.some(isNamed),
    categories: each(isNamed),
    category_scores: each((category) => (isNamed(category) ? 1 : 0)),
    category_applied_input_types: each(() => ["text"]),
  };
}
