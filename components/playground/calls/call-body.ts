import { type Attachment, hasContent, type Message } from "@/components/playground/messages/message";
import {
  parseFurtherParameters,
  parseStopSequences,
  parseTools,
  pickNumbers,
  type Settings,
} from "@/components/playground/settings";
import { parseJson } from "@/lib/contract/json-value";

/** Anthropic's API requires a limit. Its examples use this value. */
const MAX_TOKENS = 1024;

/**
 * Returns the same call for the Messages API, which has a separate system prompt and different names for parts and
 * tools.
 */
function buildMessagesBody(model: string, settings: Settings, messages: readonly Message[]): object {
  const { temperature, top_p, max_tokens = MAX_TOKENS } = pickNumbers(settings);
  const stop = parseStopSequences(settings);
  const tools = parseTools(settings).map(({ function: { name, description, parameters } }) => ({
    name,
    ...(description !== undefined && { description }),
    input_schema: parameters ?? { type: "object", properties: {} },
  }));
  return {
    model,
    max_tokens,
    ...(settings.instruction.trim() !== "" && { system: settings.instruction }),
    messages: inTurns(messages),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...(tools.length > 0 && { tools }),
    ...buildOutput(settings),
    ...parseFurtherParameters(settings),
  };
}

/** The Messages API has no JSON without a schema. */
function buildOutput(settings: Settings): object {
  const effort = readMessagesEffort(settings);
  const hasSchema = settings.format === "schema";
  if (!hasSchema && effort === null) return {};
  return {
    output_config: {
      ...(effort !== null && { effort }),
      ...(hasSchema && { format: { type: "json_schema", schema: parseJson(settings.schema) } }),
    },
  };
}

/** Returns null if no effort is set, or one that only chat completions have. */
export function readMessagesEffort({ reasoning_effort: effort }: Settings) {
  return effort === "low" || effort === "medium" || effort === "high" ? effort : null;
}

/** Groups tool results, and what the person wrote after them, into one user message per turn. */
function inTurns(messages: readonly Message[]): object[] {
  const turns: { role: string; content: string | object[] }[] = [];
  for (const [at, message] of messages.entries()) {
    const last = turns.at(-1);
    const followsResult = message.role === "user" && messages[at - 1]?.role === "tool";
    if (message.role !== "tool" && !followsResult) {
      turns.push({ role: message.role, content: buildContent(message) });
      continue;
    }
    const parts =
      message.role === "tool"
        ? [{ type: "tool_result", tool_use_id: message.toolCallId, content: message.text }]
        : buildParts(message);
    if (last?.role === "user" && Array.isArray(last.content)) last.content.push(...parts);
    else turns.push({ role: "user", content: parts });
  }
  return turns;
}

function buildContent(message: Message): string | object[] {
  const { text, attachments = [], toolCalls = [] } = message;
  return attachments.length + toolCalls.length === 0 ? text : buildParts(message);
}

function buildParts(message: Message): object[] {
  const { attachments = [], toolCalls = [] } = message;
  const uses = toolCalls.map(({ id, name, arguments: given }) => ({
    type: "tool_use",
    id,
    name,
    input: parseJson(given) ?? {},
  }));
  return [...orderParts(message, attachments.map(buildPart)), ...uses];
}

function buildPart(attachment: Attachment): object {
  const { mimeType, data, kind } = attachment;
  if (kind === "text") return { type: "text", text: fileText(attachment) };
  const source = { type: "base64", media_type: mimeType, data };
  return { type: kind === "image" ? "image" : "document", source };
}

/** Returns the request body for the conversation so far, as a program would send it. The settings must be valid. */
export function callBody(model: string, settings: Settings, messages: readonly Message[]): object {
  const sent = messages.filter((message) => message.role !== "assistant" || hasContent(message));
  return builders[settings.endpoint](model, settings, sent);
}

/** Returns the same call as a chat completion, the only kind that can be previewed. */
export function buildPreviewBody(model: string, settings: Settings, messages: readonly Message[]): object {
  // Those of a response have other forms in a chat, such as its tools.
  const further = settings.endpoint === "responses" ? "" : settings.further;
  return callBody(model, { ...settings, further, endpoint: "chat_completions" }, messages);
}

const builders = {
  chat_completions: buildChatBody,
  messages: buildMessagesBody,
  responses: buildResponseBody,
};

function buildChatBody(model: string, settings: Settings, messages: readonly Message[]): object {
  const stop = parseStopSequences(settings);
  const tools = parseTools(settings);
  const { instruction, reasoning_effort } = settings;
  const system = instruction.trim() === "" ? [] : [{ role: "system", content: instruction }];
  return {
    model,
    messages: [...system, ...messages.map(toChatMessage)],
    ...pickNumbers(settings),
    ...(stop.length > 0 && { stop }),
    ...(reasoning_effort !== "" && { reasoning_effort }),
    ...buildFormat(settings),
    ...(tools.length > 0 && { tools }),
    ...parseFurtherParameters(settings),
  };
}

function buildFormat({ format, schema }: Settings): object {
  if (format === "json") return { response_format: { type: "json_object" } };
  if (format === "text") return {};
  return {
    response_format: {
      type: "json_schema",
      json_schema: { name: "answer", strict: true, schema: parseJson(schema) },
    },
  };
}

function toChatMessage(message: Message): object {
  const { role, text, attachments = [], toolCalls = [], toolCallId } = message;
  if (role === "tool") return { role, tool_call_id: toolCallId, content: text };
  if (toolCalls.length > 0) {
    const calls = toolCalls.map(({ id, name, arguments: given }) => ({
      id,
      type: "function",
      function: { name, arguments: given },
    }));
    return { role, content: text === "" ? null : text, tool_calls: calls };
  }
  if (attachments.length === 0) return { role, content: text };
  return { role, content: orderParts(message, attachments.map(toChatPart)) };
}

function toChatPart(attachment: Attachment): object {
  const { name, mimeType, data, kind, detail } = attachment;
  if (kind === "audio")
    return { type: "input_audio", input_audio: { data, format: audioFormat(attachment) } };
  if (kind === "text") return { type: "text", text: fileText(attachment) };
  const url = `data:${mimeType};base64,${data}`;
  return kind === "image"
    ? { type: "image_url", image_url: { url, ...(detail !== undefined && { detail }) } }
    : { type: "file", file: { filename: name, file_data: url } };
}

/**
 * Returns the same call for the Responses API, whose conversation is a list of items: messages, calls of tools and
 * their outputs. It names the whole conversation each time, so nothing of it needs to be stored.
 */
function buildResponseBody(model: string, settings: Settings, messages: readonly Message[]): object {
  const { temperature, top_p, max_tokens } = pickNumbers(settings);
  const tools = parseTools(settings).map(({ function: { name, description, parameters, strict } }) => ({
    type: "function",
    name,
    ...(description !== undefined && { description }),
    parameters: parameters ?? { type: "object", properties: {} },
    // The API takes a function for a strict one where nothing is said, other than chat completions.
    strict: strict === true,
  }));
  return {
    model,
    ...(settings.instruction.trim() !== "" && { instructions: settings.instruction }),
    input: messages.flatMap(toItems),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(max_tokens !== undefined && { max_output_tokens: max_tokens }),
    ...buildReasoning(settings),
    ...(settings.reasoning_effort !== "none" && asksForReasoning(settings) && { include: [SEALED] }),
    ...buildTextFormat(settings),
    ...(tools.length > 0 && { tools }),
    store: false,
    ...parseFurtherParameters(settings),
  };
}

/** Nothing is kept, so that the reasoning comes sealed, and is sent back. Models that don't reason refuse to. */
const SEALED = "reasoning.encrypted_content";

function asksForReasoning({ reasoning_effort: effort, reasoning_summary: summary }: Settings): boolean {
  return effort !== "" || summary !== "";
}

function buildReasoning(settings: Settings): object {
  const { reasoning_effort: effort, reasoning_summary: summary } = settings;
  if (!asksForReasoning(settings)) return {};
  return { reasoning: { ...(effort !== "" && { effort }), ...(summary !== "" && { summary }) } };
}

function buildTextFormat({ format, schema }: Settings): object {
  if (format === "text") return {};
  if (format === "json") return { text: { format: { type: "json_object" } } };
  return {
    text: { format: { type: "json_schema", name: "answer", strict: true, schema: parseJson(schema) } },
  };
}

function toItems(message: Message): object[] {
  const { role, text, attachments = [], toolCalls = [], toolCallId, items = [] } = message;
  if (role === "tool") return [{ type: "function_call_output", call_id: toolCallId, output: text }];
  const calls = toolCalls.map(({ id, name, arguments: given }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: given,
  }));
  if (attachments.length > 0)
    return [{ role, content: orderParts(message, attachments.map(toPart), "input_text") }, ...calls];
  // Reasoning comes before what it led to, and never alone.
  const thoughts = text === "" && calls.length === 0 ? [] : items.filter(({ type }) => type === "reasoning");
  return [...thoughts, ...(text === "" && calls.length > 0 ? [] : [{ role, content: text }]), ...calls];
}

function toPart(attachment: Attachment): object {
  const { name, mimeType, data, kind, detail = "auto" } = attachment;
  if (kind === "text") return { type: "input_text", text: fileText(attachment) };
  if (kind === "audio")
    return { type: "input_audio", input_audio: { data, format: audioFormat(attachment) } };
  const url = `data:${mimeType};base64,${data}`;
  return kind === "image"
    ? { type: "input_image", image_url: url, detail }
    : { type: "input_file", filename: name, file_data: url };
}

/** Returns a text file as text with its name, since it is sent as part of the message. */
function fileText({ name, data }: Attachment): string {
  return `${name}:\n\n${data}`;
}

/** Returns the parts of a message in the order in which they are sent: its text among its files. */
function orderParts(
  { text, textAt = 0 }: Message,
  files: readonly object[],
  type: "text" | "input_text" = "text",
): object[] {
  return text === "" ? [...files] : files.toSpliced(textAt, 0, { type, text });
}

/** The format of a recording as `input_audio` names it. */
function audioFormat({ mimeType }: Attachment): "wav" | "mp3" {
  return /wav/.test(mimeType) ? "wav" : "mp3";
}
