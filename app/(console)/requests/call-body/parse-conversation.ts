import { readThinking } from "@/lib/contract/calls/read-answer";
import { isObject, parseJson } from "@/lib/contract/json-value";

/** A message: its author, its text and other content. */
export interface TranscriptMessage {
  readonly role: string;
  readonly text: string;
  /** What the model thought before; absent if nothing of it was shown. */
  readonly reasoning?: string;
  /** Descriptions of content that isn't text, such as images and tool calls. */
  readonly besides: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a conversation from request and reply JSON, in the format of chats, of messages or of responses. Null if the
 * request can't be parsed, for example because it was truncated.
 */
export function parseConversation(request: string | null, reply: string | null): TranscriptMessage[] | null {
  const asked = parseFields(request);
  const { messages = listItems(asked.input) } = asked;
  if (!Array.isArray(messages)) return null;
  const instructions = asked.system ?? asked.instructions;
  const system = instructions ? [{ role: "system", content: instructions }] : [];
  const answer = parseFields(reply);
  const choices = toList(answer.choices).map((choice) => toFields(toFields(choice).message));
  const said = [...system, ...messages.map(toFields), ...choices, ...toList(answer.output).map(toFields)];
  return said.map((message) => readItem(message) ?? toSaid(message));
}

function withReasoning(reasoning: string): Pick<TranscriptMessage, "reasoning"> {
  return reasoning === "" ? {} : { reasoning };
}

/** The items of a response's input, which may be a text. */
function listItems(input: unknown): unknown {
  return typeof input === "string" ? [{ role: "user", content: input }] : input;
}

/** An item of a response that is no message; null for anything else. */
function readItem({ type, role, ...item }: Fields): TranscriptMessage | null {
  if (typeof type !== "string" || type === "message" || role !== undefined) return null;
  if (type.endsWith("_output")) return { role: "tool", text: readText(item.output), besides: [] };
  if (type !== "reasoning") return { role: "assistant", text: "", besides: [describeCall(type, item)] };
  const thought = readReasoning(item);
  const besides = thought === "" ? ["Reasoning that isn’t shown"] : [];
  return { role: "assistant", text: "", ...withReasoning(thought), besides };
}

function readReasoning({ summary, content }: Fields): string {
  const texts = [...toList(summary), ...toList(content)].map((part) => toFields(part).text);
  return texts.filter((text) => typeof text === "string").join("\n\n");
}

function describeCall(type: string, { name, arguments: json, input, action, operation }: Fields): string {
  const given = json ?? input ?? action ?? operation;
  if (given === undefined) return `An item of type ${type}`;
  return `Calls ${typeof name === "string" ? name : type.replace(/_call$/, "")} with ${readText(given)}`;
}

function toSaid(message: Fields): TranscriptMessage {
  const { role, content, tool_calls, refusal } = message;
  const thinking = readThinking(message);
  const parts =
    typeof content === "string" ? [{ type: "text", text: content }] : toList(content).map(toFields);
  const texts = parts.flatMap(({ text, refusal: refused = text }) =>
    typeof refused === "string" ? [refused] : [],
  );
  const others = parts.filter(
    ({ text, refusal: refused = text, type }) =>
      typeof refused !== "string" && !(thinking && type === "thinking"),
  );
  return {
    role: typeof role === "string" ? role : "assistant",
    text: [...texts, ...(typeof refusal === "string" ? [refusal] : [])].join("\n\n"),
    ...withReasoning(thinking),
    besides: [...others.map(describePart), ...toList(tool_calls).map(describeToolCall)],
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
