import { isObject } from "@/lib/contract/json-value";
import { writeEvent } from "../anthropic/message-blocks";

type Fields = Readonly<Record<string, unknown>>;

/** The events that say what a whole response says, for clients that asked for a stream. */
export function writeResponseEvents(response: Fields): string {
  let sequence = 0;
  const write = (type: string, fields: object) =>
    writeEvent(type, { sequence_number: sequence++, ...fields });
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const items = (Array.isArray(response.output) ? response.output : []).filter(isObject);
  const start = ["response.created", "response.in_progress"].map((type) => write(type, { response: begun }));
  const told = items.map((item, output_index) => writeItem(item, output_index, write));
  const type = response.status === "incomplete" ? "response.incomplete" : "response.completed";
  return [...start, ...told, write(type, { response })].join("");
}

type Write = (type: string, fields: object) => string;

/** What grows in an item of each type, and the name of its events. */
const growing: Readonly<Record<string, { readonly field: string; readonly events: string }>> = {
  function_call: { field: "arguments", events: "response.function_call_arguments" },
  custom_tool_call: { field: "input", events: "response.custom_tool_call_input" },
};

const partEvents: Readonly<Record<string, { readonly field: string; readonly events: string }>> = {
  output_text: { field: "text", events: "response.output_text" },
  refusal: { field: "refusal", events: "response.refusal" },
  reasoning_text: { field: "text", events: "response.reasoning_text" },
};

function writeItem(item: Fields, output_index: number, write: Write): string {
  const place = { item_id: item.id, output_index };
  const grows = growing[String(item.type)];
  const parts = (Array.isArray(item.content) ? item.content : []).filter(isObject);
  const begun = {
    ...item,
    status: "in_progress",
    ...(Array.isArray(item.content) && { content: [] }),
    ...(grows && { [grows.field]: "" }),
  };
  let events = write("response.output_item.added", { output_index, item: begun });
  for (const [content_index, part] of parts.entries())
    events += writePart(part, { ...place, content_index }, write);
  if (grows) {
    const text = item[grows.field];
    events += write(`${grows.events}.delta`, { ...place, delta: text });
    events += write(`${grows.events}.done`, { ...place, [grows.field]: text });
  }
  return events + write("response.output_item.done", { output_index, item });
}

function writePart(part: Fields, place: object, write: Write): string {
  const known = partEvents[String(part.type)];
  if (!known) return write("response.content_part.added", { ...place, part });
  const { field, events } = known;
  return [
    write("response.content_part.added", { ...place, part: { ...part, [field]: "" } }),
    write(`${events}.delta`, { ...place, delta: part[field] }),
    write(`${events}.done`, { ...place, [field]: part[field] }),
    write("response.content_part.done", { ...place, part }),
  ].join("");
}
