import { readThinking } from "@/lib/contract/calls/read-answer";
import { isObject, parseJson } from "@/lib/contract/json-value";

/** A message: its author, its text and other content. */
export interface TranscriptMessage {
  readonly role: string;
  readonly text: string;
  /** Descriptions of content that isn't text, such as images and tool calls. */
  readonly besides: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a conversation from request and reply JSON, in OpenAI's or Anthropic's format. Null if the request can't be
 * parsed, for example because it was truncated.
 */
export function parseConversation(request: string | null, reply: string | null): TranscriptMessage[] | null {
  const asked = parseFields(request);
  if (!Array.isArray(asked.messages)) return null;
  const system = asked.system === undefined ? [] : [{ role: "system", content: asked.system }];
  const answer = parseFields(reply);
  const choices = toList(answer.choices).map((choice) => toFields(toFields(choice).message));
  return [...system, ...asked.messages.map(toFields), ...choices].map(toSaid);
}

function toSaid(message: Fields): TranscriptMessage {
  const { role, content, tool_calls, refusal } = message;
  const thinking = readThinking(message);
  const parts =
    typeof content === "string" ? [{ type: "text", text: content }] : toList(content).map(toFields);
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  const others = parts.filter(
    ({ text, type }) => typeof text !== "string" && !(thinking && type === "thinking"),
  );
  const thought = thinking ? [`Reasoning: ${thinking}`] : [];
  return {
    role: typeof role === "string" ? role : "assistant",
    text: [...texts, ...(typeof refusal === "string" ? [refusal] : [])].join("\n\n"),
    besides: [...thought, ...others.map(describePart), ...toList(tool_calls).map(describeToolCall)],
  };
}

function describePart({ type, name, input, content }: Fields): string {
  if (type === "tool_use") return `Calls ${String(name)} with ${JSON.stringify(input)}`;
  if (type === "tool_result") return `Result of a tool: ${readText(content)}`;
  return typeof type === "string" ? `A part of type ${type}` : "A part without a type";
}

function describeToolCall(call: unknown): string {
  const { function: called, type } = toFields(call);
  const { name, arguments: given } = toFields(called);
  return typeof name === "string" ? `Calls ${name} with ${String(given)}` : `A call of type ${String(type)}`;
}

function readText(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}

function parseFields(text: string | null): Fields {
  return toFields(parseJson(text ?? ""));
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toFields(value: unknown): Fields {
  return isObject(value) ? value : {};
}
