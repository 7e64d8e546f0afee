import { dataOf } from "../http/event-splitter";

/** The last chunk of an answer that reached its output limit. Its id and model are those of the event that exceeded it. */
export function lengthReached(event: Buffer, choices: number): Buffer {
  const { id, created, model } = headOf(event);
  const ends = Array.from({ length: choices }, (_, index) => ({ index, delta: {}, finish_reason: "length" }));
  const chunk = { id, object: "chat.completion.chunk", created, model, choices: ends };
  return Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);
}

function headOf(event: Buffer): { id?: unknown; created?: unknown; model?: unknown } {
  try {
    return JSON.parse(dataOf(event) ?? "{}");
  } catch {
    return {};
  }
}
