import { isObject } from "@/lib/contract/json-value";
import { parseBounded } from "../../http/json";

type Fields = Record<string, unknown>;

/** The fields of a block that grow with its deltas, by the delta's field. */
const growing: Readonly<Record<string, string>> = {
  text: "text",
  thinking: "thinking",
  signature: "signature",
};

/** Whether these are events of Anthropic's streams. */
export function isMessageStream(events: readonly Fields[]): boolean {
  return events.some(({ type }) => type === "message_start" || type === "content_block_delta");
}

/** The message that the events of a stream make up. An error that ended it becomes `error`. */
export function assembleMessage(events: readonly Fields[]): Fields {
  const blocks = new Map<unknown, { block: Fields; json: string }>();
  let message: Fields = {};
  for (const event of events) {
    const { type, index, delta } = event;
    if (type === "message_start" && isObject(event.message)) message = { ...event.message };
    else if (type === "content_block_start" && isObject(event.content_block))
      blocks.set(index, { block: { ...event.content_block }, json: "" });
    else if (type === "content_block_delta" && isObject(delta)) addDelta(blocks.get(index), delta);
    else if (type === "message_delta") message = endMessage(message, event);
    else if (type === "error") message = { ...message, error: event.error };
  }
  const content = [...blocks.values()].map(({ block, json }) =>
    json === "" ? block : { ...block, input: readInput(json) },
  );
  return { ...message, content };
}

function addDelta(open: { readonly block: Fields; json: string } | undefined, delta: Fields): void {
  if (!open) return;
  const { block } = open;
  if (typeof delta.partial_json === "string") open.json += delta.partial_json;
  for (const [name, field] of Object.entries(growing)) {
    const piece = delta[name];
    if (typeof piece === "string")
      block[field] = `${typeof block[field] === "string" ? block[field] : ""}${piece}`;
  }
  if (isObject(delta.citation))
    block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation];
}

function endMessage(message: Fields, { delta, usage, ...event }: Fields): Fields {
  const { type: _, ...fields } = event;
  const before = isObject(message.usage) ? message.usage : {};
  const after = isObject(usage) ? usage : {};
  return { ...message, ...fields, ...(isObject(delta) ? delta : {}), usage: { ...before, ...after } };
}

/** An input that was cut off stays as its text. */
function readInput(json: string): unknown {
  try {
    return parseBounded(json);
  } catch {
    return json;
  }
}
