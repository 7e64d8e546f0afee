import type { ChatEndpoint } from "@/lib/console/streaming/stream-chat";
import type { Attachment, Message, ToolCall } from "../messages/message";
import { isObject, numberNames, parseTools, readJson, type Settings } from "../settings";
import { newId, newWorkbench, type Workbench } from "./pane";

type Fields = Readonly<Record<string, unknown>>;

const efforts = ["none", "minimal", "low", "medium", "high"];
/** Fields that the playground sets itself. */
const ownFields = ["model", "messages", "stream", "stream_options"];

/**
 * Thrown if the playground can't represent a part of the call. Nothing is opened then, since the call would be a different one.
 */
class UnknownPart extends Error {}

/**
 * Returns a workbench whose next call equals the given JSON body; null if the JSON is invalid or can't be represented in full.
 */
export function createWorkbenchFromCall(json: string | null, endpoint: ChatEndpoint): Workbench | null {
  const body = readJson(json ?? "");
  if (!isObject(body) || typeof body.model !== "string" || !Array.isArray(body.messages)) return null;
  try {
    const { instruction, messages } = readConversation(body, endpoint);
    const workbench = newWorkbench(body.model, { endpoint, instruction, ...readSettings(body, endpoint) });
    return { ...workbench, panes: workbench.panes.map((pane) => ({ ...pane, messages })) };
  } catch (error) {
    if (error instanceof UnknownPart) return null;
    throw error;
  }
}

/** Puts each parameter into its own setting if there is one, and the rest into `further`. */
function readSettings(body: Fields, endpoint: ChatEndpoint): Partial<Settings> {
  const left = Object.fromEntries(
    Object.entries(body).filter(([name]) => !ownFields.includes(name) && name !== systemField(endpoint)),
  );
  const take = (name: string, text: string | null): string => {
    if (text !== null) delete left[name];
    return text ?? "";
  };
  const number = (name: string) => take(name, typeof left[name] === "number" ? String(left[name]) : null);
  const isChat = endpoint === "chat_completions";
  const stopName = isChat ? "stop" : "stop_sequences";
  const named = isChat ? [...numberNames, "seed"] : ["temperature", "top_p"];
  const numbers = Object.fromEntries([...named, "max_tokens"].map((name) => [name, number(name)]));
  const effort = isChat && efforts.includes(String(left.reasoning_effort));
  const format = isChat ? readFormat(left.response_format) : null;
  if (format) delete left.response_format;
  const settings = {
    ...numbers,
    stop: take(stopName, readStopLines(left[stopName])),
    reasoning_effort: take(
      "reasoning_effort",
      effort ? String(left.reasoning_effort) : null,
    ) as Settings["reasoning_effort"],
    ...format,
    tools: take("tools", writeTools(left.tools, isChat)),
  };
  return { ...settings, further: Object.keys(left).length > 0 ? JSON.stringify(left, null, 2) : "" };
}

function systemField(endpoint: ChatEndpoint): string | null {
  return endpoint === "messages" ? "system" : null;
}

function readStopLines(stop: unknown): string | null {
  const all: readonly unknown[] = typeof stop === "string" ? [stop] : Array.isArray(stop) ? stop : [];
  const fits = all.length > 0 && all.length <= 4;
  const areLines = all.every((one) => typeof one === "string" && one !== "" && !one.includes("\n"));
  return fits && areLines ? all.join("\n") : null;
}

function readFormat(given: unknown): Pick<Settings, "format" | "schema"> | null {
  if (!isObject(given)) return null;
  if (given.type === "json_object") return { format: "json", schema: "" };
  const { name, strict, schema } = isObject(given.json_schema) ? given.json_schema : {};
  const isOurs = given.type === "json_schema" && name === "answer" && strict === true && isObject(schema);
  return isOurs ? { format: "schema", schema: JSON.stringify(schema, null, 2) } : null;
}

function writeTools(tools: unknown, isChat: boolean): string | null {
  if (!Array.isArray(tools)) return null;
  const asChat = isChat
    ? tools
    : tools.map((tool) => {
        const { name, description, input_schema } = isObject(tool) ? tool : {};
        return { type: "function", function: { name, description, parameters: input_schema } };
      });
  const text = JSON.stringify(asChat, null, 2);
  return parseTools({ tools: text }).length === tools.length ? text : null;
}

function readConversation(body: Fields, endpoint: ChatEndpoint) {
  const given = (body.messages as unknown[]).map((one) => (isObject(one) ? one : fail()));
  if (endpoint === "messages") {
    const messages = given.flatMap(splitTurn);
    return { instruction: body.system === undefined ? "" : readText(body.system), messages };
  }
  const [first] = given;
  const isInstructed = first?.role === "system";
  return {
    instruction: isInstructed ? readText(first.content) : "",
    messages: given.slice(isInstructed ? 1 : 0).map(chatMessage),
  };
}

function chatMessage({ role, content, tool_calls, tool_call_id }: Fields): Message {
  const id = newId();
  if (role === "tool") return { id, role, text: readText(content), toolCallId: String(tool_call_id) };
  const toolCalls = (Array.isArray(tool_calls) ? tool_calls : []).map((call): ToolCall => {
    const { name, arguments: given } = isObject(call?.function) ? call.function : fail();
    return { id: String(call.id), name: String(name), arguments: String(given) };
  });
  return { id, role: readRole(role), ...readParts(content), ...(toolCalls.length > 0 && { toolCalls }) };
}

/** The Messages API has tool results inside a user message; the playground has a message for each. */
function splitTurn({ role, content }: Fields): Message[] {
  const parts = (Array.isArray(content) ? content : []).filter(isObject);
  const results = parts.filter(({ type }) => type === "tool_result");
  const uses = parts.filter(({ type }) => type === "tool_use");
  const rest = Array.isArray(content)
    ? content.filter((part) => !results.includes(part) && !uses.includes(part))
    : content;
  const answers = results.map(
    (result): Message => ({
      id: newId(),
      role: "tool",
      text: readText(result.content ?? ""),
      toolCallId: String(result.tool_use_id),
    }),
  );
  const toolCalls = uses.map(
    ({ id, name, input }): ToolCall => ({
      id: String(id),
      name: String(name),
      arguments: JSON.stringify(input),
    }),
  );
  if (Array.isArray(rest) && rest.length === 0 && toolCalls.length === 0) return answers;
  const message: Message = {
    id: newId(),
    role: readRole(role),
    ...readParts(rest),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
  return [...answers, message];
}

function readParts(content: unknown): Pick<Message, "text" | "attachments"> {
  if (!Array.isArray(content)) return { text: content === null ? "" : readText(content) };
  const texts = content.flatMap((part) =>
    isObject(part) && part.type === "text" ? [String(part.text)] : [],
  );
  const others = content.filter((part) => !isObject(part) || part.type !== "text");
  const attachments = others.map((part) => readAttachment(isObject(part) ? part : fail()));
  return { text: texts.join("\n\n"), ...(attachments.length > 0 && { attachments }) };
}

function readAttachment({ type, image_url, file, source }: Fields): Attachment {
  if (type === "image_url" && isObject(image_url)) return fromUrl("image", "image", image_url.url);
  if (type === "file" && isObject(file))
    return fromUrl("document", String(file.filename ?? "file"), file.file_data);
  if ((type === "image" || type === "document") && isObject(source) && source.type === "base64")
    return { name: type, mimeType: String(source.media_type), data: String(source.data), kind: type };
  return fail();
}

function fromUrl(kind: "image" | "document", name: string, url: unknown): Attachment {
  const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/.exec(String(url)) ?? fail();
  return { name, mimeType: String(mimeType), data: String(data), kind };
}

function readText(content: unknown): string {
  if (typeof content === "string") return content;
  const { text, attachments } = Array.isArray(content) ? readParts(content) : fail();
  return attachments ? fail() : text;
}

function readRole(role: unknown): "user" | "assistant" {
  return role === "user" || role === "assistant" ? role : fail();
}

function fail(): never {
  throw new UnknownPart();
}
