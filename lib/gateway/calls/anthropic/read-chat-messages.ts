import { isObject } from "@/lib/contract/json-value";
import type { ChatMessage } from "@/lib/contract/operations/calls/completions";
import { parseBounded } from "../../http/json";
import { invalid } from "../../refusal";
import type { Block, ImageSource, Message, ToolResult } from "./content-blocks";
import { boundToolName } from "./receiver-bounds";
import { readCallId, readSeal } from "./returned-parts";

type Fields = Readonly<Record<string, unknown>>;

/** A conversation in the form of messages: roles alternate, and each call is followed by its result. */
interface ReadMessages {
  readonly system: readonly Block[];
  readonly messages: readonly Message[];
}

interface Turn {
  readonly role: "user" | "assistant";
  content: readonly Block[];
}

/**
 * Reads the messages of a chat. Instructions come first, wherever they stood.
 * @param origin the server that gets its own thinking again.
 * @throws Refusal 400 for what a user said and messages have no block for.
 */
export function readChatMessages(sent: readonly ChatMessage[], origin: string): ReadMessages {
  const system: Block[] = [];
  const turns: Turn[] = [];
  const add = (role: Turn["role"], content: readonly Block[]) => {
    const last = turns.at(-1);
    if (content.length === 0) return;
    if (last?.role === role) last.content = [...last.content, ...content];
    else turns.push({ role, content });
  };
  for (const [index, message] of sent.entries()) {
    const { role, content } = message as Fields;
    const at = `messages.${index}.content`;
    if (role === "system" || role === "developer") system.push(...readParts(content, at));
    else if (role === "assistant") add("assistant", readAnswer(message as Fields, origin));
    else if (role === "tool" || role === "function") add("user", [readResult(message as Fields, at)]);
    else add("user", readParts(content, at));
  }
  return { system, messages: pairResults(turns) };
}

/** The blocks of a content: a text, or a list of parts. Receivers refuse empty texts. */
function readParts(content: unknown, at: string): Block[] {
  if (typeof content === "string") return toText(content);
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown, index) =>
    isObject(part) ? withCacheMark(part, readPart(part, `${at}.${index}`)) : [],
  );
}

function toText(text: unknown): Block[] {
  return typeof text === "string" && text.trim() !== "" ? [{ type: "text", text }] : [];
}

/** Clients of several services mark what is to be cached in a chat, too. */
function withCacheMark({ cache_control }: Fields, blocks: Block[]): Block[] {
  return cache_control ? blocks.map((block) => ({ ...block, cache_control })) : blocks;
}

function readPart(part: Fields, at: string): Block[] {
  switch (part.type) {
    case "image_url": {
      const { image_url: image } = part;
      return [{ type: "image", source: readImage(isObject(image) ? image.url : image) }];
    }
    case "file":
      return isObject(part.file) ? [readFile(part.file, at)] : [];
    case "refusal":
      return toText(part.refusal);
    default:
      if (typeof part.text === "string") return toText(part.text);
      throw invalid(`${at}.type`, `This model's provider takes no part of the type "${String(part.type)}".`);
  }
}

const DATA_URL = /^data:([^;,]+)(?:;[^,]*)?;base64,/i;

function readImage(url: unknown): ImageSource {
  const text = String(url);
  const [head, type = ""] = DATA_URL.exec(text) ?? [];
  if (head === undefined) return { type: "url", url: text };
  const media_type = type.toLowerCase().replace("image/jpg", "image/jpeg");
  return { type: "base64", media_type, data: text.slice(head.length) };
}

function readFile({ file_data, file_id, filename }: Fields, at: string): Block {
  const title = typeof filename === "string" ? { title: filename } : {};
  if (typeof file_id === "string") return { type: "document", source: { type: "file", file_id }, ...title };
  const text = String(file_data ?? "");
  const [head = "", type = "application/pdf"] = DATA_URL.exec(text) ?? [];
  const data = text.slice(head.length);
  if (type.startsWith("image/")) return { type: "image", source: readImage(text) };
  if (type.startsWith("text/")) {
    const source = {
      type: "text",
      media_type: "text/plain",
      data: Buffer.from(data, "base64").toString(),
    } as const;
    return { type: "document", source, ...title };
  }
  if (type !== "application/pdf")
    throw invalid(
      `${at}.file`,
      `This model's provider takes no file of the type ${type}; send a PDF or a text.`,
    );
  return { type: "document", source: { type: "base64", media_type: type, data }, ...title };
}

function readAnswer(message: Fields, origin: string): Block[] {
  const { content, refusal, tool_calls, function_call, reasoning_details } = message;
  const calls = (Array.isArray(tool_calls) ? tool_calls : []).filter(isObject);
  const uses = calls.map(({ id, function: called, custom }) =>
    readCall(String(id), isObject(called) ? called : isObject(custom) ? custom : {}),
  );
  if (isObject(function_call)) uses.push(readCall(`call_${String(function_call.name)}`, function_call));
  const details = readDetails(reasoning_details, origin);
  const sealed = details.length > 0 ? details : readSealedThinking(calls[0]?.id, origin);
  // What an assistant can't have said, such as its own audio, is told by its text alone.
  const said = Array.isArray(content)
    ? content.flatMap((part: unknown) => (isObject(part) ? toText(part.text ?? part.refusal) : []))
    : toText(content);
  return [...sealed, ...said, ...toText(refusal), ...uses];
}

function readCall(id: string, { name, arguments: json, input }: Fields): Block {
  const given = json ?? (input === undefined ? "" : JSON.stringify({ input }));
  return { type: "tool_use", id: toCallId(id), name: boundToolName(String(name)), input: readInput(given) };
}

function readInput(json: unknown): unknown {
  if (isObject(json)) return json;
  try {
    const input: unknown = parseBounded(String(json || "{}"));
    return isObject(input) ? input : { input };
  } catch {
    return { input: json };
  }
}

/** The id that a provider gave, without what was sealed in it. Receivers take letters, digits, `_` and `-`. */
function toCallId(sealed: string): string {
  return readCallId(sealed).id.replace(/[^a-zA-Z0-9_-]/g, "_") || "call";
}

/** The thinking that a client gave back whole. */
function readDetails(details: unknown, origin: string): Block[] {
  const listed = (Array.isArray(details) ? details : []).filter(isObject);
  return listed.flatMap(({ text, signature, data }): Block[] => {
    const seal = readSeal(typeof signature === "string" ? signature : typeof data === "string" ? data : null);
    if (seal?.origin !== origin) return [];
    const { signature: own, encrypted } = seal.fields;
    if (typeof own === "string")
      return [{ type: "thinking", thinking: typeof text === "string" ? text : "", signature: own }];
    return typeof encrypted === "string" ? [{ type: "redacted_thinking", data: encrypted }] : [];
  });
}

/** The thinking before a call, which clients that drop it give back in the call's id. */
function readSealedThinking(id: unknown, origin: string): Block[] {
  const { seal } = readCallId(typeof id === "string" ? id : "");
  const blocks = seal?.origin === origin ? seal.fields.thinking_blocks : [];
  return Array.isArray(blocks) ? blocks.filter(isObject).map((block) => block as unknown as Block) : [];
}

function readResult({ tool_call_id, name, content }: Fields, at: string): ToolResult {
  const id = typeof tool_call_id === "string" ? tool_call_id : `call_${String(name)}`;
  const blocks = readParts(content, at) as Exclude<ToolResult["content"], string | null | undefined>;
  return { type: "tool_result", tool_use_id: toCallId(id), content: blocks };
}

/** The results of a turn's calls precede what the user says. A result without its call is told as a text. */
function pairResults(turns: Turn[]): Message[] {
  if (turns[0]?.role !== "user") turns.unshift({ role: "user", content: [{ type: "text", text: "." }] });
  if (turns.at(-1)?.content.some(({ type }) => type === "tool_use"))
    turns.push({ role: "user", content: [] });
  return turns.map(({ role, content }, index) => {
    const before = turns[index - 1]?.content ?? [];
    if (role === "assistant") return { role, content: [...content] };
    const calls = before.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    const results = content.filter((block) => block.type === "tool_result");
    const paired = calls.map((id) => results.find(({ tool_use_id }) => tool_use_id === id) ?? noResult(id));
    const rest = content.flatMap((block) => {
      if (block.type !== "tool_result") return [block];
      return paired.includes(block)
        ? []
        : [{ type: "text", text: "The result of an earlier tool call:" } as const, ...listBlocks(block)];
    });
    return { role, content: [...paired, ...rest] };
  });
}

function listBlocks({ content }: ToolResult): Block[] {
  return typeof content === "string" ? toText(content) : [...(content ?? [])];
}

function noResult(id: string): ToolResult {
  return { type: "tool_result", tool_use_id: id, content: "The tool gave no result." };
}
