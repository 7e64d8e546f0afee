import type { Attachment, Message } from "../messages/message";

/** Returns a text file as text with its name, since it is sent as part of the message. */
export function fileText({ name, data }: Attachment): string {
  return `${name}:\n\n${data}`;
}

/** Returns the parts of a message in the order in which they are sent: its text among its files. */
export function orderParts(
  { text, textAt = 0 }: Message,
  files: readonly object[],
  type: "text" | "input_text" = "text",
): object[] {
  return text === "" ? [...files] : files.toSpliced(textAt, 0, { type, text });
}

/** The format of a recording as `input_audio` names it. */
export function audioFormat({ mimeType }: Attachment): "wav" | "mp3" {
  return /wav/.test(mimeType) ? "wav" : "mp3";
}
