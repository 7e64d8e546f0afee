import { isObject } from "@/lib/contract/json-value";
import type { ChatMessage } from "@/lib/contract/operations/calls/completions";
import { parseBounded } from "../../http/json";
import { invalid } from "../../refusal";
import type { Block, ImageSource, Message, ToolResult } from "./content-blocks";
import { boundToolName, type LeftOut, takeFreeId } from "./receiver-bounds";
import { isReturned, readCallId, readSeal } from "./returned-parts";

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

/** The server that the messages are read for, and the collector of fields that it can't take. */
interface ChatAims {
  /** The server that gets its own thinking again. */
  readonly origin: string;
  readonly leftOut: LeftOut;
}

/**
 * Reads the messages of a chat. Instructions come first, wherever they stood.
 * @throws Refusal 400 for what a user said and messages have no block for.
 */
export function readChatMessages(sent: readonly ChatMessage[], aims: ChatAims): ReadMessages {
  const system: Block[] = [];
  const turns: Turn[] = [];
  const add = (role: Turn["role"], content: readonly Block[]) => {
    const last = turns.at(-1);
    if (content.length === 0) return;
    if (last?.role === role) last.content = [...last.content, ...content];
    else turns.push({ role, content });
  };
  for (const [index, message] of sent.entries()) {
    const fields = message as Fields;
    const at = `messages.${index}.content`;
    nameLeftOut(fields, knownOfMessage, "messages", aims.leftOut);
    switch (fields.role) {
      case "system":
      case "developer":
        system.push(...readInstruction(fields, at, aims));
        break;
      case "assistant":
        add("assistant", readAnswer(fields, aims));
        break;
      case "tool":
      case "function":
        add("user", [readResult(fields, at, aims)]);
        break;
      default:
        add("user", markLast(fields, readParts(fields.content, at, aims)));
    }
  }
  return { system, messages: pairResults(turns) };
}

const knownOfMessage = /^(?:role|content|tool_calls|tool_call_id|function_call|refusal|cache_control)$/;
const knownOfPart = /^(?:type|text|refusal|image_url|file|cache_control)$/;
const knownOfFile = /^(?:file_data|file_id|filename)$/;

/** Names each field that says something and isn't read. What a provider wants again is read, or named, elsewhere. */
function nameLeftOut(of: unknown, known: RegExp, path: string, leftOut: LeftOut): void {
  if (!isObject(of)) return;
  for (const name in of)
    if (!known.test(name) && !isReturned(name)) leftOut.note(`${path}.${name}`, of[name]);
}

/** Instructions are texts alone. */
function readInstruction(fields: Fields, at: string, aims: ChatAims): Block[] {
  const blocks = readParts(fields.content, at, aims);
  for (const { type } of blocks) if (type !== "text") aims.leftOut.add(`messages.content.${type}`);
  return markLast(
    fields,
    blocks.filter(({ type }) => type === "text"),
  );
}

/** The blocks of a content: a text, or a list of parts. Receivers refuse empty texts. */
function readParts(content: unknown, at: string, { leftOut }: ChatAims): Block[] {
  if (typeof content === "string") return toText(content);
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown, index) => {
    if (!isObject(part)) return [];
    nameLeftOut(part, knownOfPart, "messages.content", leftOut);
    nameLeftOut(part.file, knownOfFile, "messages.content.file", leftOut);
    nameLeftOut(part.image_url, /^url$/, "messages.content.image_url", leftOut);
    return markLast(part, readPart(part, `${at}.${index}`));
  });
}

function toText(text: unknown): Block[] {
  return typeof text === "string" && text.trim() !== "" ? [{ type: "text", text }] : [];
}

/** Clients of several services mark what is to be cached in a chat, too: a part, a call, or a whole message. */
function markLast({ cache_control }: Fields, blocks: Block[]): Block[] {
  const last = blocks.at(-1);
  if (!cache_control || !last) return blocks;
  return [...blocks.slice(0, -1), Object.assign({ ...last }, { cache_control })];
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

function readAnswer(message: Fields, { origin, leftOut }: ChatAims): Block[] {
  const { content, refusal, tool_calls, function_call, reasoning_details } = message;
  const calls = (Array.isArray(tool_calls) ? tool_calls : []).filter(isObject);
  const uses = calls.flatMap((call) => {
    const { id, function: called, custom } = call;
    return markLast(call, [readCall(String(id), isObject(called) ? called : isObject(custom) ? custom : {})]);
  });
  if (isObject(function_call)) uses.push(readCall(`call_${String(function_call.name)}`, function_call));
  const details = readDetails(reasoning_details, origin);
  const sealed = details.length > 0 ? details : readSealedThinking(calls[0]?.id, origin);
  // Thinking without the seal of this server is another's, or nobody's, and receivers take their own alone.
  if (sealed.length === 0)
    for (const name in message) if (isReturned(name)) leftOut.note(`messages.${name}`, message[name]);
  // An assistant's part that can't be sent, such as its audio, becomes its text.
  const said = Array.isArray(content)
    ? content.flatMap((part: unknown) => (isObject(part) ? toText(part.text ?? part.refusal) : []))
    : toText(content);
  const told: Block[] = [...sealed, ...said, ...toText(refusal), ...uses];
  const isMarkable = told.at(-1)?.type === "text" || told.at(-1)?.type === "tool_use";
  return isMarkable ? markLast(message, told) : told;
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

/** A cache mark within a result marks the whole result, as receivers require. */
function readResult(fields: Fields, at: string, aims: ChatAims): ToolResult {
  const { tool_call_id, name, cache_control } = fields;
  const id = typeof tool_call_id === "string" ? tool_call_id : `call_${String(name)}`;
  const parts = readParts(fields.content, at, aims) as (Exclude<
    ToolResult["content"],
    string | null | undefined
  >[number] &
    Fields)[];
  const mark = cache_control ?? parts.findLast((part) => part.cache_control)?.cache_control;
  const content = parts.map((part) => ({ ...part, cache_control: undefined }));
  return {
    type: "tool_result",
    tool_use_id: toCallId(id),
    content,
    ...(mark ? { cache_control: mark } : {}),
  };
}

/**
 * The results of a turn's calls precede what the user says. A result without its call is told as a text. Servers may
 * give calls of two turns the same id, which receivers refuse.
 */
function pairResults(turns: Turn[]): Message[] {
  if (turns[0]?.role !== "user") turns.unshift({ role: "user", content: [{ type: "text", text: "." }] });
  if (turns.at(-1)?.content.some(({ type }) => type === "tool_use"))
    turns.push({ role: "user", content: [] });
  const used = new Set<string>();
  let called: { readonly sent: string; readonly id: string }[] = [];
  const paired = turns.map(({ role, content }): Message => {
    if (role === "assistant") {
      called = [];
      const told = content.map((block) => {
        if (block.type !== "tool_use") return block;
        const id = takeFreeId(block.id, used);
        called.push({ sent: block.id, id });
        return { ...block, id };
      });
      return { role, content: told };
    }
    const open = content.filter((block) => block.type === "tool_result");
    const results = called.map(({ sent, id }) => {
      const at = open.findIndex(({ tool_use_id }) => tool_use_id === sent);
      const [result] = at < 0 ? [] : open.splice(at, 1);
      return result ? { ...result, tool_use_id: id } : noResult(id);
    });
    called = [];
    const rest = content.flatMap((block) => {
      if (block.type !== "tool_result") return [block];
      if (!open.includes(block)) return [];
      return [{ type: "text", text: "The result of an earlier tool call:" } as const, ...listBlocks(block)];
    });
    return { role, content: [...results, ...rest] };
  });
  return trimPrefill(paired);
}

/** Receivers refuse the beginning of an answer that ends in white space. */
function trimPrefill(messages: Message[]): Message[] {
  const last = messages.at(-1);
  if (last?.role !== "assistant" || typeof last.content === "string") return messages;
  const content = last.content.map((block, index) =>
    block.type === "text" && index === last.content.length - 1
      ? { ...block, text: block.text.trimEnd() }
      : block,
  );
  return [...messages.slice(0, -1), { role: "assistant", content }];
}

function listBlocks({ content }: ToolResult): Block[] {
  return typeof content === "string" ? toText(content) : [...(content ?? [])];
}

function noResult(id: string): ToolResult {
  return { type: "tool_result", tool_use_id: id, content: "The tool gave no result." };
}
