import { parseJson } from "@/lib/contract/json-value";
import { type Attachment, hasContent, type Message } from "../messages/message";
import {
  parseFurtherParameters,
  parseStopSequences,
  parseTools,
  pickNumbers,
  type Settings,
} from "../settings";
import { buildMessagesBody } from "./build-messages-body";
import { buildResponseBody } from "./build-response-body";
import { audioFormat, fileText, orderParts } from "./message-parts";

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
