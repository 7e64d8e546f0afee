import type { Block, DocumentBlock, ImageSource, SearchResultBlock, ToolResult } from "./content-blocks";
import { boundCallId } from "./receiver-bounds";
import { readCallId } from "./returned-parts";

export type ChatPart = Readonly<Record<string, unknown>>;

const toTextPart = (text: string): ChatPart => ({ type: "text", text });

/** Translates a block to parts of a chat message; none for blocks that become messages of their own. */
export function toChatParts(block: Block): ChatPart[] {
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
export function toContent(parts: readonly ChatPart[]): string | readonly ChatPart[] {
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
export function translateResult({ content, is_error, tool_use_id }: ToolResult): TranslatedResult {
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
