import type { ChatCompletionRequest, ChatMessage } from "@/lib/contract/operations/calls/completions";

/** What a provider's tokenizer reads of a request: its texts, and how many messages surround them with tokens. */
export interface PromptTexts {
  readonly texts: readonly string[];
  readonly messages: number;
}

/** Fields that no model reads. All others may be part of the prompt, as tools and schemas are. */
const unread = new Set([
  "model",
  "messages",
  "stream",
  "stream_options",
  "stop",
  "user",
  "metadata",
  "reasoning_effort",
  "service_tier",
  "callback_url",
]);

export function listPromptTexts(request: ChatCompletionRequest): PromptTexts {
  const texts = request.messages.flatMap(listMessageTexts);
  for (const [name, value] of Object.entries(request)) if (!unread.has(name)) addText(texts, value);
  return { texts, messages: request.messages.length };
}

function listMessageTexts({ content, ...more }: ChatMessage): string[] {
  const texts: string[] = [];
  if (Array.isArray(content)) for (const part of content) addText(texts, part.text ?? part);
  else addText(texts, content);
  for (const [name, value] of Object.entries(more)) if (name !== "role") addText(texts, value);
  return texts;
}

/** Numbers and switches are no part of a prompt. */
function addText(texts: string[], value: unknown): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "object" && value !== null) texts.push(JSON.stringify(value));
}
