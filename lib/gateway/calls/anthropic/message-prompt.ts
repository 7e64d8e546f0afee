import { isObject } from "@/lib/contract/json-value";
import type { ChatMessage } from "@/lib/contract/operations/calls/completions";
import type { JsonObject } from "../../http/json";
import type { Prompt } from "../../providers/prompt-size/estimate-prompt";

type Fields = Readonly<Record<string, unknown>>;
type Part = Fields;

/**
 * The prompt of a request of Anthropic's Messages API, as it is counted: each block as the part of a chat that has the
 * same size. Nothing of it is sent.
 */
export function toMessagePrompt({ text, value }: JsonObject): Prompt {
  const messages: unknown[] = Array.isArray(value.messages) ? value.messages : [];
  const isText = messages.every((message) => isObject(message) && typeof message.content === "string");
  if (isText) return { text, value: value as Prompt["value"] };
  const counted = messages.filter(isObject).map(toCountedMessage);
  const whole = { ...value, messages: counted };
  return { text: JSON.stringify(whole), value: whole as unknown as Prompt["value"] };
}

function toCountedMessage({ role, content }: Fields): ChatMessage {
  const parts = Array.isArray(content) ? content.flatMap(toParts) : content;
  return { role, content: parts } as ChatMessage;
}

function toParts(block: unknown): Part[] {
  if (!isObject(block)) return [toText(block)];
  switch (block.type) {
    case "text":
      return [toText(block.text)];
    case "thinking":
      return [toText(block.thinking)];
    case "image":
      return [toImage(block.source)];
    case "document":
      return [...[block.title, block.context].filter(Boolean).map(toText), ...toDocument(block.source)];
    case "tool_result":
      return Array.isArray(block.content) ? block.content.flatMap(toParts) : [toText(block.content)];
    default: {
      const { cache_control: _, ...said } = block;
      return [toText(said)];
    }
  }
}

function toText(value: unknown): Part {
  return { type: "text", text: typeof value === "string" ? value : JSON.stringify(value ?? "") };
}

function toImage(source: unknown): Part {
  const { type, url } = isObject(source) ? source : {};
  return { type: "image_url", image_url: { url: type === "base64" ? "data:" : url } };
}

/** A document that is referred to has an unknown size. */
function toDocument(source: unknown): Part[] {
  const { type, data, content } = isObject(source) ? source : {};
  if (type === "text") return [toText(data)];
  if (type === "content") return Array.isArray(content) ? content.flatMap(toParts) : [toText(content)];
  return [{ type: "file", file: type === "base64" ? { file_data: data } : { file_id: "unknown" } }];
}
