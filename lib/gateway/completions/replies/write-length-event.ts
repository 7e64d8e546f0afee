import { formatEvent, readEventData } from "../../http/event-splitter";
import { READ_AT_ONCE_BYTES } from "./reply-reader";

/** The last chunk of an answer that reached its output limit, with the id and model of the event that exceeded it. */
export function writeLengthEvent(event: Buffer, choices: number): Buffer {
  const { id, created, model } = readHead(event);
  const ends = Array.from({ length: choices }, (_, index) => ({ index, delta: {}, finish_reason: "length" }));
  const chunk = { id, object: "chat.completion.chunk", created, model, choices: ends };
  return formatEvent(chunk);
}

function readHead(event: Buffer): { id?: unknown; created?: unknown; model?: unknown } {
  if (event.byteLength > READ_AT_ONCE_BYTES) return {};
  try {
    return JSON.parse(readEventData(event) ?? "{}");
  } catch {
    return {};
  }
}
