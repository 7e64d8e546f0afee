/** A message or a delta of a chat completion, as servers write it. */
interface Written {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
}

/** A part of a content that is a list, by Mistral's API reference. */
interface Part {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly thinking?: unknown;
}

/** The model's text, or its refusal of a structured output; empty if there is neither. */
export function readText({ content, refusal }: Written): string {
  const text = typeof content === "string" ? content : joinParts(content, "text", ({ text: part }) => part);
  return text || (typeof refusal === "string" ? refusal : "");
}

/**
 * The thinking of a model; empty if there is none. Servers have two names for it, and some send the same text under
 * both; others write it into parts of the content.
 */
export function readThinking({ reasoning_content, reasoning, content }: Written): string {
  const thinking = reasoning_content || reasoning;
  if (typeof thinking === "string") return thinking;
  return joinParts(content, "thinking", ({ thinking: part }) => part);
}

/** The text of the parts of a type: a string, or itself a list of texts. */
function joinParts(content: unknown, type: string, read: (part: Part) => unknown): string {
  if (!Array.isArray(content)) return "";
  return content
    .map((part: Part | null) => (part?.type === type ? read(part) : ""))
    .map((text) => (typeof text === "string" ? text : joinParts(text, "text", (part) => part.text)))
    .join("");
}
