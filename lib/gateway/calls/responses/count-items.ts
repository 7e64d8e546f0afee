import { isObject } from "@/lib/contract/json-value";
import type { ChatMessage } from "@/lib/contract/operations/calls/completions";
import type { Prompt } from "../../providers/prompt-size/estimate-prompt";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The prompt of a request of the Responses API that is passed on, as it is counted: each item as the part of a chat
 * that has the same size. Nothing of it is sent.
 */
export function toResponsePrompt({ input, instructions, ...rest }: Fields): Prompt {
  const items = Array.isArray(input) ? input : [input];
  const before = typeof instructions === "string" ? [{ role: "system", content: instructions }] : [];
  const messages = [...before, ...items.map(toCountedMessage)];
  const whole = { ...rest, messages };
  return { text: JSON.stringify(whole), value: whole as unknown as Prompt["value"] };
}

function toCountedMessage(item: unknown): ChatMessage {
  if (typeof item === "string") return { role: "user", content: item };
  const { content, output, ...others } = isObject(item) ? item : {};
  const parts = [content, output].flatMap((list) =>
    Array.isArray(list) ? list.map(toCountedPart) : [toText(list)],
  );
  return { role: "user", content: [...parts, toText(others)] } as ChatMessage;
}

function toText(value: unknown): Fields {
  return { type: "text", text: typeof value === "string" ? value : JSON.stringify(value ?? "") };
}

/** A picture or a file that is referred to has an unknown size. */
function toCountedPart(part: unknown): Fields {
  const fields = isObject(part) ? part : {};
  switch (fields.type) {
    case "input_image":
    case "computer_screenshot":
      return { type: "image_url", image_url: { url: fields.image_url ?? "https://unknown" } };
    case "input_file":
      return {
        type: "file",
        file: typeof fields.file_data === "string" ? { file_data: fields.file_data } : { file_id: "unknown" },
      };
    case "input_audio":
      return { type: "input_audio", input_audio: fields.input_audio };
    default:
      return toText(fields.text ?? part);
  }
}
