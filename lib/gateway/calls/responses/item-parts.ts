import { isObject } from "@/lib/contract/json-value";
import { invalid } from "../../refusal";
import type { LeftOut } from "../anthropic/receiver-bounds";

type Fields = Readonly<Record<string, unknown>>;
export type ChatPart = Readonly<Record<string, unknown>> & { readonly type: string };

/** The place of parts, for refusals, and the collector of parts that can't be translated. */
interface PartPlace {
  readonly at: string;
  readonly leftOut: LeftOut;
}

/** The parts of a content, or of a tool's output, as those of a chat. @throws Refusal 400 for what can't be told. */
export function toChatParts(content: unknown, { at, leftOut }: PartPlace): ChatPart[] {
  if (typeof content === "string") return content === "" ? [] : [toText(content)];
  if (content === null || content === undefined) return [];
  if (!Array.isArray(content)) throw invalid(at, `${at} must be a text or a list of parts.`);
  return content.flatMap((part: unknown, index) => {
    const place = { at: `${at}.${index}`, leftOut };
    if (!isObject(part)) throw invalid(place.at, `${place.at} must be a part with a type.`);
    return toChatPart(part, place);
  });
}

const toText = (text: string) => ({ type: "text", text }) as const;

function toChatPart(part: Fields, place: PartPlace): ChatPart[] {
  switch (part.type) {
    case "input_image":
    case "computer_screenshot":
      return [toImage(part, place)];
    case "input_file":
      return [toFile(part, place)];
    case "input_audio":
      return [{ type: "input_audio", input_audio: part.input_audio }];
    case "refusal":
      return typeof part.refusal === "string" ? [toText(part.refusal)] : [];
    default:
      if (typeof part.text === "string") return part.text === "" ? [] : [toText(part.text)];
      throw invalid(
        `${place.at}.type`,
        `A part of the type "${String(part.type).slice(0, 60)}" can't be told to this model.`,
      );
  }
}

const details = new Set(["low", "high", "auto"]);

function toImage({ image_url, file_id, detail }: Fields, { at, leftOut }: PartPlace): ChatPart {
  if (typeof image_url === "string") {
    const isKnown = typeof detail === "string" && details.has(detail);
    if (!isKnown) leftOut.note("input.content.detail", detail);
    return { type: "image_url", image_url: { url: image_url, ...(isKnown && { detail }) } };
  }
  if (typeof file_id === "string") return { type: "file", file: { file_id } };
  throw invalid(at, `${at} needs the image: its image_url, which may be a data address, or its file_id.`);
}

function toFile({ file_data, file_id, file_url, filename }: Fields, { at }: PartPlace): ChatPart {
  if (typeof file_data === "string")
    return { type: "file", file: { file_data, filename: typeof filename === "string" ? filename : "file" } };
  if (typeof file_id === "string") return { type: "file", file: { file_id } };
  const why =
    typeof file_url === "string"
      ? "this model's provider fetches no files; send its content as file_data"
      : "it has no file; send its content as file_data, or its file_id";
  throw invalid(at, `${at} can't be sent: ${why}.`);
}

function isText({ type }: ChatPart): boolean {
  return type === "text";
}

/** The text of parts; what is no text is left out. */
export function joinTexts(parts: readonly ChatPart[], between = "\n\n"): string {
  return parts.flatMap((part) => (typeof part.text === "string" ? [part.text] : [])).join(between);
}

/** Parts as a message's content: text alone is a string, since servers of models without pictures take no lists. */
export function toContent(parts: readonly ChatPart[]): string | readonly ChatPart[] {
  return parts.every(isText) ? joinTexts(parts) : parts;
}
