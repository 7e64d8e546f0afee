import { isObject } from "@/lib/contract/json-value";
import { EventSplitter, readEventData } from "../../http/event-splitter";

import { assembleMessage, isMessageStream } from "./assemble-message";

type Fields = Record<string, unknown>;

interface Choice {
  index: number;
  message: Fields;
  finish_reason: unknown;
}

/**
 * Assembles the events of a stream into a chat completion, a message or a transcript. Texts are joined, so that
 * redaction also finds passages across events. An error that ended the stream becomes `error`. Null where no event is
 * readable.
 */
export function assembleReply(stream: Uint8Array): Fields | null {
  const splitter = new EventSplitter();
  const chunks = [...splitter.push(stream), splitter.flush()]
    .map(readChunk)
    .filter((chunk) => chunk !== null);
  if (chunks.length === 0) return null;
  const ended = chunks.findLast(({ type }) =>
    /^response\.(?:completed|incomplete|failed)$/.test(String(type)),
  );
  if (isObject(ended?.response)) return ended.response;
  if (isMessageStream(chunks)) return assembleMessage(chunks);
  const isTranscript = chunks.some(({ type }) => typeof type === "string" && type.startsWith("transcript."));
  return isTranscript ? assembleTranscript(chunks) : assembleCompletion(chunks);
}

/** The last event has the whole text. Without it, the text is what has come so far. */
function assembleTranscript(chunks: readonly Fields[]): Fields {
  const deltas = chunks.map(({ delta }) => (typeof delta === "string" ? delta : "")).join("");
  const { type: _type, delta: _delta, ...whole } = Object.assign({}, ...chunks) as Fields;
  return { ...whole, text: whole.text ?? deltas };
}

function assembleCompletion(chunks: readonly Fields[]): Fields {
  const choices = new Map<number, Choice>();
  const replies: Fields[] = [];
  for (const { choices: deltas, ...fields } of chunks) {
    replies.push(withoutNulls(fields));
    if (Array.isArray(deltas)) for (const delta of deltas) addDelta(choices, delta);
  }
  const sorted = [...choices.values()].toSorted((one, other) => one.index - other.index);
  return { ...Object.assign({}, ...replies), object: "chat.completion", choices: sorted };
}

function readChunk(event: Uint8Array): Fields | null {
  const data = readEventData(Buffer.from(event));
  if (data === null) return null;
  try {
    const value: unknown = JSON.parse(data);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function addDelta(choices: Map<number, Choice>, part: unknown): void {
  if (!isObject(part)) return;
  const index = typeof part.index === "number" ? part.index : 0;
  const choice: Choice = choices.get(index) ?? {
    index,
    message: { role: "assistant", content: null },
    finish_reason: null,
  };
  choices.set(index, choice);
  choice.finish_reason = part.finish_reason ?? choice.finish_reason;
  if (isObject(part.delta)) merge(choice.message, part.delta);
}

/** Texts and lists are appended; names and ids are kept. */
const labels = new Set(["role", "id", "type", "name", "index"]);

function merge(into: Fields, delta: Fields): void {
  for (const [name, value] of Object.entries(delta)) {
    if (name === "__proto__") continue;
    const existing = Object.hasOwn(into, name) ? into[name] : undefined;
    if (typeof value === "string" && typeof existing === "string" && !labels.has(name))
      into[name] = existing + value;
    else if (isObject(value) && isObject(existing)) merge(existing, value);
    else if (Array.isArray(value)) into[name] = mergeList(Array.isArray(existing) ? existing : [], value);
    else if (value !== null && value !== "") into[name] = value;
    else into[name] ??= value;
  }
}

/** The entries of a list that have an index, by it: a provider may send tens of thousands. */
const byIndex = new WeakMap<unknown[], Map<unknown, Fields>>();

/** Entries with an index, such as tool calls, are merged with the entry of that index. */
function mergeList(list: unknown[], added: unknown[]): unknown[] {
  const indexed = byIndex.get(list) ?? readIndex(list);
  byIndex.set(list, indexed);
  for (const entry of added) {
    const same = isObject(entry) ? indexed.get(entry.index) : undefined;
    if (isObject(entry) && same) {
      merge(same, entry);
      continue;
    }
    const copy = isObject(entry) ? structuredClone(entry) : entry;
    if (isObject(copy) && copy.index !== undefined) indexed.set(copy.index, copy);
    list.push(copy);
  }
  return list;
}

function readIndex(list: readonly unknown[]): Map<unknown, Fields> {
  const entries = list.filter(isObject).filter(({ index }) => index !== undefined);
  return new Map(entries.map((entry) => [entry.index, entry]));
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
