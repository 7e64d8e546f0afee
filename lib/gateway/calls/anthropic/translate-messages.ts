import type {
  Block,
  DocumentBlock,
  ImageSource,
  Message,
  SearchResultBlock,
  ToolResult,
} from "./content-blocks";
import { boundCallId, boundToolName, type LeftOut } from "./receiver-bounds";
import { RestoredParts, readCallId, readSeal } from "./returned-parts";

type ChatMessage = Readonly<Record<string, unknown>>;

/** How a conversation is translated for a provider. */
interface MessageAims {
  /** Whether a provider's answers may be returned to the one that is called. */
  accepts(origin: string): boolean;
  /** Gets the origins of all answers. */
  readonly origins: Set<string>;
  readonly leftOut: LeftOut;
  readonly skipsSignatures: boolean;
}

/** All messages that follow one another in one role. */
interface Turn {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | readonly Block[];
}

/**
 * Translates messages so that roles alternate and each tool call is followed by its result, as receivers demand. A
 * system message keeps its place.
 */
export function toChatMessages(messages: readonly Message[], aims: MessageAims): ChatMessage[] {
  const turns = joinTurns(messages);
  const answered = new Set<ToolResult>();
  const translated = turns.flatMap((turn, position) => {
    if (turn.role === "system") return [{ role: "system", content: joinTexts(turn.content) }];
    if (turn.role === "user") return toUserMessage(turn.content, answered);
    const following = turns.slice(position + 1);
    const end = following.findIndex(({ role }) => role === "assistant");
    const results = (end < 0 ? following : following.slice(0, end)).flatMap(listResults);
    return toAssistantMessages(turn.content, { results, answered }, aims);
  });
  return translated.length > 0 ? translated : [{ role: "user", content: "" }];
}

function joinTurns(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  for (const { role: sent, content } of messages) {
    const role = sent === "developer" ? "system" : sent;
    const kept = typeof content === "string" ? content : content.filter(saysSomething);
    if (kept.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role !== role) turns.push({ role, content: kept });
    else turns[turns.length - 1] = { role, content: [...toBlocks(last.content), ...toBlocks(kept)] };
  }
  return turns;
}

/** Receivers refuse empty texts. */
function saysSomething(block: Block): boolean {
  return block.type === "text" ? block.text !== "" : block.type !== "left_out";
}

function toBlocks(content: Turn["content"]): readonly Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function joinTexts(content: Turn["content"]): string {
  return toBlocks(content)
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n\n");
}

function listResults({ content }: Turn): ToolResult[] {
  return typeof content === "string" ? [] : content.filter((block) => block.type === "tool_result");
}

/** Attachments of results precede what the user says about them. A result without its call is told as a text. */
function toUserMessage(content: Turn["content"], answered: ReadonlySet<ToolResult>): ChatMessage[] {
  if (typeof content === "string") return [{ role: "user", content }];
  const parts: ChatPart[] = content
    .filter((block) => block.type === "tool_result")
    .flatMap((result) => {
      const { content: told, attachments } = translateResult(result);
      if (answered.has(result)) return attachments;
      return [{ type: "text", text: `The result of an earlier tool call:\n${told}` }, ...attachments];
    });
  parts.push(...content.flatMap(toChatParts));
  return parts.length > 0 ? [{ role: "user", content: toContent(parts) }] : [];
}

interface ResultsBehind {
  readonly results: readonly ToolResult[];
  readonly answered: Set<ToolResult>;
}

function toAssistantMessages(
  content: Turn["content"],
  { results, answered }: ResultsBehind,
  aims: MessageAims,
): ChatMessage[] {
  if (typeof content === "string") return [{ role: "assistant", content }];
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  const { fields, thinkingContent } = restoreParts(content, aims);
  const uses = content.filter((block) => block.type === "tool_use");
  const calls = uses.map(({ id, name, input }, position) => {
    const called = { name: boundToolName(name), arguments: JSON.stringify(input ?? {}) };
    const unsigned = aims.skipsSignatures && position === 0 ? SKIPPED_SIGNATURE : {};
    return { ...unsigned, ...restoreCall(id, aims), type: "function", function: called };
  });
  const said = thinkingContent ? withThinking(thinkingContent, text) : text;
  if (calls.length === 0)
    return said || Object.keys(fields).length > 0 ? [{ role: "assistant", content: said, ...fields }] : [];
  const replies = uses.map(({ id }, position) => {
    const result = results.find((sent) => sent.tool_use_id === id && !answered.has(sent));
    if (result) answered.add(result);
    const told = result ? translateResult(result).content : "The tool gave no result.";
    return { role: "tool", tool_call_id: calls[position]?.id, content: told };
  });
  return [{ role: "assistant", content: said || null, ...fields, tool_calls: calls }, ...replies];
}

/** What Gemini takes with a turn's first call in place of its own signature, where another service called. */
export const SKIPPED_SIGNATURE = {
  extra_content: { google: { thought_signature: "skip_thought_signature_validator" } },
};

function withThinking(thinking: string, text: string): ChatPart[] {
  const thought = { type: "thinking", thinking: [{ type: "text", text: thinking }] };
  return text ? [thought, { type: "text", text }] : [thought];
}

/** The called provider's own sealed thinking; other providers' is left out. */
function restoreParts(content: readonly Block[], { accepts, origins, leftOut }: MessageAims): RestoredParts {
  const parts = new RestoredParts();
  for (const block of content) {
    if (block.type !== "thinking" && block.type !== "redacted_thinking") continue;
    const isShown = block.type === "thinking";
    const seal = readSeal(isShown ? block.signature : block.data);
    if (!seal) leftOut.add(`messages.content.${block.type}`);
    else {
      origins.add(seal.origin);
      if (accepts(seal.origin)) parts.add(seal, (isShown && block.thinking) || "");
    }
  }
  return parts;
}

function restoreCall(sealedId: string, { accepts, origins }: MessageAims) {
  const { id, seal } = readCallId(sealedId);
  if (seal) origins.add(seal.origin);
  return { ...(seal && accepts(seal.origin) && seal.fields), id: boundCallId(id) };
}

type ChatPart = Readonly<Record<string, unknown>>;

const toTextPart = (text: string): ChatPart => ({ type: "text", text });

/** Translates a block to parts of a chat message; none for blocks that become messages of their own. */
function toChatParts(block: Block): ChatPart[] {
  if (block.type === "text") return block.text ? [toTextPart(block.text)] : [];
  if (block.type === "image") return [toImagePart(block.source)];
  if (block.type === "document") return toDocumentParts(block);
  if (block.type === "search_result") return toSearchParts(block);
  return [];
}

function toSearchParts({ title, source, content }: SearchResultBlock): ChatPart[] {
  const texts = content.map(({ text }) => text).filter(Boolean);
  return [toTextPart([`Title: ${title}`, `Source: ${source}`, ...texts].join("\n"))];
}

function toImagePart(source: ImageSource): ChatPart {
  if (source.type === "file") return toFilePart({ file_id: source.file_id });
  const url = source.type === "url" ? source.url : `data:${source.media_type};base64,${source.data}`;
  return { type: "image_url", image_url: { url } };
}

/** A document's title and context precede it. */
function toDocumentParts({ source, title, context }: DocumentBlock): ChatPart[] {
  const about = [title && `Title: ${title}`, context && `Context: ${context}`].filter(Boolean).join("\n");
  return [...(about ? [toTextPart(about)] : []), ...translateDocument(source, title ?? "document")];
}

function translateDocument(source: DocumentBlock["source"], title: string): ChatPart[] {
  switch (source.type) {
    case "text":
      return [toTextPart(source.data)];
    case "content":
      return typeof source.content === "string"
        ? [toTextPart(source.content)]
        : source.content.flatMap(toChatParts);
    case "file":
      return [toFilePart({ file_id: source.file_id })];
    case "base64":
      return [toFilePart({ filename: title, file_data: `data:${source.media_type};base64,${source.data}` })];
  }
}

function toFilePart(file: Readonly<Record<string, string>>): ChatPart {
  return { type: "file", file };
}

/** Parts as a message's content: text alone is a string, since servers of models without pictures take no lists. */
function toContent(parts: readonly ChatPart[]): string | readonly ChatPart[] {
  return parts.every(isText) ? parts.map(({ text }) => text).join("\n\n") : parts;
}

/** A tool's result: what its tool message says, and the parts for the user message that follows. */
interface TranslatedResult {
  readonly content: string;
  readonly attachments: readonly ChatPart[];
}

/**
 * A failure is stated first, since chat completions have no field for it. Tool messages hold text alone, so pictures
 * and files become attachments.
 */
function translateResult({ content, is_error, tool_use_id }: ToolResult): TranslatedResult {
  const failed = is_error ? "The tool failed." : "";
  if (!content?.length || typeof content === "string") {
    return { content: joinLines(failed, typeof content === "string" ? content : ""), attachments: [] };
  }
  const blocks = content.map(toChatParts);
  const attached = blocks.filter((parts) => !parts.every(isText)).flat();
  const texts = blocks.filter((parts) => parts.every(isText)).flat();
  const told = joinLines(failed, ...texts.map(({ text }) => String(text)));
  if (attached.length === 0) return { content: told, attachments: [] };
  const label = `Attachments of the tool result ${boundCallId(readCallId(tool_use_id).id)}:`;
  return {
    content: joinLines(told, "See the attachments in the next message."),
    attachments: [toTextPart(label), ...attached],
  };
}

function joinLines(...lines: readonly string[]): string {
  return lines.filter((line) => line.length > 0).join("\n");
}

function isText({ type }: ChatPart): boolean {
  return type === "text";
}
