import { parseJson } from "@/lib/contract/json-value";
import { type Attachment, hasContent, type Message } from "../messages/message";
import {
  parseFurtherParameters,
  parseStopSequences,
  parseTools,
  pickNumbers,
  type Settings,
} from "../settings";
import { buildResponseBody } from "./build-response-body";
import { audioFormat, fileText, orderParts } from "./message-parts";

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
