import { spliceObject } from "../http/splice-json";
import type { ChatRequest } from "./chat-request";

/**
 * What goes to the provider: the caller's own text, except for what routing and pricing must change. The model's name there,
 * the balance's say on the output, usage at a stream's end, and `prompt` as a first system message.
 * @param maxTokens the most output of one choice, where the balance lowered it; null leaves the caller's.
 */
export function upstreamBody(
  { text, scanned, value }: ChatRequest,
  { model, maxTokens }: { model: string; maxTokens: number | null },
): string {
  const changes = new Map<string, string | null>();
  if (model !== value.model) changes.set("model", JSON.stringify(model));
  if (value.stream && value.stream_options?.include_usage !== true) {
    changes.set("stream_options", JSON.stringify({ ...value.stream_options, include_usage: true }));
  }
  if (maxTokens !== null) {
    const isNewName = typeof value.max_completion_tokens === "number";
    if (isNewName) changes.set("max_completion_tokens", String(maxTokens));
    if (!isNewName || typeof value.max_tokens === "number") changes.set("max_tokens", String(maxTokens));
  }
  const messages = scanned.members.get("messages");
  if (typeof value.prompt === "string" && messages) {
    const instruction = value.prompt && `${JSON.stringify({ role: "system", content: value.prompt })},`;
    changes.set("messages", `[${instruction}${text.slice(messages.valueStart + 1, messages.end)}`);
    changes.set("prompt", null);
  }
  return changes.size === 0 ? text : spliceObject(text, scanned, changes);
}
