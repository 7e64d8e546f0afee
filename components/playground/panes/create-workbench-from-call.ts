import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";
import { isObject, parseJson } from "@/lib/contract/json-value";
import { callBody } from "../calls/call-body";
import { isSameCall } from "../calls/is-same-call";
import type { Attachment, Message, ToolCall } from "../messages/message";
import { newWorkbench, type Workbench } from "../workbench";
import { newLocalId } from "./pane";
import { type Exactness, parseSettings, parseWholeInstruction } from "./parse-settings";

type Fields = Readonly<Record<string, unknown>>;

/** Thrown if the playground has no field for a part of the call. */
class UnknownPart extends Error {}

/**
 * Returns a workbench whose next call equals the given JSON body, except that it streams; null if the JSON is invalid
 * or the playground can't represent all of it.
 */
export function createWorkbenchFromCall(json: string | null, endpoint: ChatEndpoint): Workbench | null {
  const workbench = parseCallBody(json, endpoint, "exact");
  const [pane] = workbench?.panes ?? [];
  if (!workbench || !pane) return null;
  const given = parseJson(json ?? "") as Fields;
  const built = callBody(pane.model, workbench.shared, pane.messages) as Fields;
  return isSameCall(given, built, endpoint) ? workbench : null;
}

/**
 * Returns a workbench with what the playground has fields for, which is enough to estimate a call. Null if the JSON is
 * invalid or has a part of an unknown kind.
 */
export function parseCallBody(
  json: string | null,
  endpoint: ChatEndpoint,
  exactness: Exactness,
): Workbench | null {
  const body = parseJson(json ?? "");
  if (!isObject(body) || typeof body.model !== "string" || !listSaid(body, endpoint)) return null;
  try {
    const { messages, ...settings } = {
      ...parseSettings(body, endpoint, exactness),
      ...parseConversation(body, endpoint, exactness),
    };
    const workbench = newWorkbench(body.model, { endpoint, ...settings });
    return { ...workbench, panes: workbench.panes.map((pane) => ({ ...pane, messages })) };
  } catch (error) {
    if (error instanceof UnknownPart) return null;
    throw error;
  }
}

/** The messages of a chat, or the items of a response; null if there are none. */
function listSaid({ messages, input }: Fields, endpoint: ChatEndpoint): readonly unknown[] | null {
  const said = endpoint === "responses" ? input : messages;
  if (endpoint === "responses" && typeof said === "string") return [{ role: "user", content: said }];
  return Array.isArray(said) ? said : null;
}

function parseConversation(body: Fields, endpoint: ChatEndpoint, exactness: Exactness) {
  const given = (listSaid(body, endpoint) ?? []).map((one) => (isObject(one) ? one : fail()));
  if (endpoint === "messages") {
    const messages = given.flatMap(splitTurn);
    return { instruction: parseInstruction(body.system, exactness), messages };
  }
  if (endpoint === "responses") {
    const { instructions } = body;
    return {
      instruction: typeof instructions === "string" ? instructions : "",
      messages: joinItems(given, exactness),
    };
  }
  const [first] = given;
  const isInstructed = first?.role === "system";
  return {
    instruction: isInstructed ? parseText(first.content) : "",
    messages: given.slice(isInstructed ? 1 : 0).map(chatMessage),
  };
}

function chatMessage({ role, content, tool_calls, tool_call_id }: Fields): Message {
  const id = newLocalId();
  if (role === "tool") return { id, role, text: parseText(content), toolCallId: String(tool_call_id) };
  const toolCalls = (Array.isArray(tool_calls) ? tool_calls : []).map((call): ToolCall => {
    const { name, arguments: given } = isObject(call?.function) ? call.function : fail();
    return { id: String(call.id), name: String(name), arguments: String(given) };
  });
  return { id, role: parseRole(role), ...parseParts(content), ...(toolCalls.length > 0 && { toolCalls }) };
}

/** Calls of tools and reasoning are items of their own; the playground has them in the answer that they belong to. */
function joinItems(given: readonly Fields[], exactness: Exactness): Message[] {
  const messages: Message[] = [];
  let thoughts: Fields[] = [];
  const takeThoughts = () => {
    const items = thoughts;
    thoughts = [];
    return items.length > 0 ? { items } : {};
  };
  for (const item of given) {
    const { type = "message", role, content, call_id, output } = item;
    const last = messages.at(-1);
    if (type === "message") {
      const said: Message = { id: newLocalId(), role: parseRole(role), ...parseParts(content) };
      messages.push(said.role === "assistant" ? { ...said, ...takeThoughts() } : said);
    } else if (type === "function_call") {
      const call = { id: String(call_id), name: String(item.name), arguments: String(item.arguments) };
      const goesOn = last?.role === "assistant" && thoughts.length === 0;
      const answer: Message = goesOn
        ? last
        : { id: newLocalId(), role: "assistant", text: "", ...takeThoughts() };
      if (answer === last) messages.pop();
      messages.push({ ...answer, toolCalls: [...(answer.toolCalls ?? []), call] });
    } else if (type === "function_call_output") {
      messages.push({ id: newLocalId(), role: "tool", text: parseText(output), toolCallId: String(call_id) });
    } else if (type === "reasoning") thoughts.push(item);
    else fail();
  }
  if (exactness === "exact" && thoughts.length > 0) fail();
  return messages;
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
      id: newLocalId(),
      role: "tool",
      text: parseText(result.content ?? ""),
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
    id: newLocalId(),
    role: parseRole(role),
    ...parseParts(rest),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
  return [...answers, message];
}

const textTypes = ["text", "input_text", "output_text"];

function parseParts(content: unknown): Pick<Message, "text" | "attachments" | "textAt"> {
  if (!Array.isArray(content)) return { text: content === null ? "" : parseText(content) };
  const attachments: Attachment[] = [];
  const texts: string[] = [];
  let textAt = 0;
  for (const part of content) {
    if (!isObject(part)) fail();
    const isText = textTypes.includes(String(part.type));
    const file = isText && texts.length > 0 ? parseFileText(part) : null;
    if (!isText || file) attachments.push(file ?? parseAttachment(part));
    else if (texts.push(String(part.text)) === 1) textAt = attachments.length;
  }
  return {
    text: texts.join("\n\n"),
    ...(attachments.length > 0 && { attachments }),
    ...(textAt > 0 && { textAt }),
  };
}

/** Reads back what `fileText` wrote. */
function parseFileText({ text }: Fields): Attachment | null {
  const [, name, data] = /^([^\n]+):\n\n(.*)$/s.exec(String(text)) ?? [];
  return name !== undefined && data !== undefined
    ? { name, mimeType: "text/plain", data, kind: "text" }
    : null;
}

function parseAttachment(part: Fields): Attachment {
  const { type, image_url, file, source } = part;
  if (type === "input_image")
    return parseAttachment({ type: "image_url", image_url: { url: image_url, detail: part.detail } });
  if (type === "input_file") return parseAttachment({ type: "file", file: part });
  if (type === "image_url" && isObject(image_url)) {
    const { url, detail } = image_url;
    return { ...fromUrl("image", "image", url), ...(typeof detail === "string" && { detail }) };
  }
  if (type === "file" && isObject(file))
    return fromUrl("document", String(file.filename ?? "file"), file.file_data);
  if ((type === "image" || type === "document") && isObject(source) && source.type === "base64")
    return { name: type, ...parseBytes(source.media_type, source.data), kind: type };
  return fail();
}

function fromUrl(kind: "image" | "document", name: string, url: unknown): Attachment {
  const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(String(url)) ?? fail();
  return { name, ...parseBytes(mimeType, data), kind };
}

/** Base64 may be wrapped in lines. Fails for what a saved conversation can't hold. */
function parseBytes(mimeType: unknown, base64: unknown): Pick<Attachment, "mimeType" | "data"> {
  const data = String(base64).replace(/\s+/g, "");
  const isSound = /^[\w.+-]+\/[\w.+;= -]+$/.test(String(mimeType)) && /^[A-Za-z0-9+/=_-]*$/.test(data);
  return isSound ? { mimeType: String(mimeType), data } : fail();
}

function parseText(content: unknown): string {
  if (typeof content === "string") return content;
  const { text, attachments } = Array.isArray(content) ? parseParts(content) : fail();
  return attachments ? fail() : text;
}

function parseInstruction(system: unknown, exactness: Exactness): string {
  if (exactness === "exact") return parseWholeInstruction(system) ?? "";
  return system === undefined ? "" : parseText(system);
}

function parseRole(role: unknown): "user" | "assistant" {
  return role === "user" || role === "assistant" ? role : fail();
}

function fail(): never {
  throw new UnknownPart();
}
