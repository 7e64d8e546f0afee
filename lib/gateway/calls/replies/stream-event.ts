import { isObject } from "@/lib/contract/json-value";
import { isComment, readBareText, readEventData, readEventName } from "../../http/event-splitter";
import { type ScannedObject, scanObject } from "../../http/json";
import { findUsage, type ReportedFigures } from "../usage/read-usage";
import { measureOutput, NO_OUTPUT, type OutputSize } from "../usage/resolve-usage";
import { isFailure, type ValuePlace } from "./completion";
import { SYNCHRONOUS_BYTES } from "./reply-memory";

/** A choice of a chunk, and whether it has its finish reason. */
interface ChoiceState {
  readonly index: number;
  readonly isFinished: boolean;
}

/**
 * What the gateway reads from an event of a stream. A `skipped` event is no part of the answer. An `unreadable` one
 * is a part that is lost: a chunk that is cut off, or one that is too expensive to read.
 */
export type ParsedEvent =
  | { readonly kind: "comment" | "done" | "skipped" | "unreadable" }
  /** A failure may be told in an event of its own, or in a chunk with choices. */
  | { readonly kind: "error"; readonly size: OutputSize }
  | {
      readonly kind: "chunk";
      readonly size: OutputSize;
      readonly choices: readonly ChoiceState[];
      /** The figures that it reports anywhere. */
      readonly reported: ReportedFigures | null;
      /** Whether it has a usage and nothing else. */
      readonly isUsageAlone: boolean;
      /** Where the model's name stands in a long event. */
      readonly modelPlace?: ValuePlace | null;
    };

/** @param parse throws for invalid JSON. */
export function parseEvent(event: Buffer, parse: (text: string) => unknown): ParsedEvent {
  const isErrorEvent = readEventName(event) === "error";
  const failure = { kind: "error", size: NO_OUTPUT } as const;
  const data = readEventData(event)?.trim() || readBareText(event);
  if (!data) return isErrorEvent ? failure : { kind: isComment(event) ? "comment" : "skipped" };
  if (data.startsWith("[DONE]")) return { kind: "done" };
  let value: unknown;
  try {
    value = parse(data);
  } catch (error) {
    if (isErrorEvent) return failure;
    const isLost = !(error instanceof SyntaxError) || (data.startsWith("{") && data.includes('"choices"'));
    return { kind: isLost ? "unreadable" : "skipped" };
  }
  const told = Array.isArray(value) ? value[0] : value;
  if (!isObject(told)) return isErrorEvent ? failure : { kind: "skipped" };
  const size = measureOutput(told.choices, "delta");
  if (isErrorEvent || isFailure(told)) return { kind: "error", size };
  return told === value ? parseChunk(told, size) : { kind: "skipped" };
}

/** An object without choices and usage is no chunk: clients expect a list of choices in each. */
function parseChunk(chunk: Record<string, unknown>, size: OutputSize): ParsedEvent {
  const { choices } = chunk;
  const reported = findUsage(chunk);
  if (!Array.isArray(choices) && !reported) return { kind: "skipped" };
  if (Array.isArray(choices) && !choices.every(isObject)) return { kind: "skipped" };
  return {
    kind: "chunk",
    size,
    choices: Array.isArray(choices) ? choices.map(readChoiceState) : [],
    reported,
    isUsageAlone: Array.isArray(choices) ? choices.length === 0 && Boolean(chunk.usage) : true,
  };
}

/** Some servers leave out the index of an only choice, and some write an empty reason until there is one. */
function readChoiceState(choice: unknown): ChoiceState {
  const { index, finish_reason } = Object(choice) as { index?: unknown; finish_reason?: unknown };
  return { index: typeof index === "number" ? index : 0, isFinished: Boolean(finish_reason) };
}

const DELTA_WITH_TEXT = Buffer.from('"delta":{"content":"');
const FINISH_REASON = Buffer.from('"finish_reason"');
const KEY_BYTES = '"delta":'.length;
const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE] = [0x22, 0x5c, 0x7b, 0x7d];
const [LF, CR, SPACE, COLON] = [0x0a, 0x0d, 0x20, 0x3a];
const [LETTER_D, LETTER_N, LETTER_U] = [0x64, 0x6e, 0x75];
/** Where data can begin: after `data:`, with or without a space. */
const DATA_STARTS = [5, 6];
/** The chunk, its choice and its delta. A chunk with more objects is parsed as JSON. */
const OBJECTS = 3;

/** The position of an event's text. */
export interface PlainDelta {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the text in a chunk without parsing, if the chunk has one choice with only content in its delta, and no other
 * object: a second delta, an error or a usage would need another brace. Null for any other event, and for a text with
 * `\u` escapes: those are parsed as JSON.
 */
export function findPlainDelta(event: Buffer): PlainDelta | null {
  const first = event.indexOf(OPEN_BRACE);
  if (!DATA_STARTS.includes(first) || event[0] !== LETTER_D) return null;
  let brace = first;
  for (let count = 1; count < OBJECTS; count++) {
    brace = event.indexOf(OPEN_BRACE, brace + 1);
    if (brace < 0) return null;
  }
  const delta = event.indexOf(DELTA_WITH_TEXT);
  if (delta < 0 || brace !== delta + KEY_BYTES) return null;
  const start = delta + DELTA_WITH_TEXT.length;
  const end = findTextEnd(event, start);
  if (event[end + 1] !== CLOSE_BRACE || event.indexOf(OPEN_BRACE, end) >= 0) return null;
  if (hasUnicodeEscape(event, event.indexOf(BACKSLASH, start), end)) return null;
  return endsInBrace(event) ? { start, end } : null;
}

/** Whether a chunk may have a finish reason: a key of that name whose value is neither null nor an empty text. */
export function mayBeFinished(event: Buffer): boolean {
  let at = event.indexOf(FINISH_REASON);
  if (at < 0) return false;
  at += FINISH_REASON.length;
  while (event[at] === COLON || event[at] === SPACE) at++;
  return event[at] !== LETTER_N && !(event[at] === QUOTE && event[at + 1] === QUOTE);
}

/**
 * Whether a text up to `end` has a character that is written as `\u` and its code.
 * @param first the place of the text's first backslash; -1 if it has none.
 */
export function hasUnicodeEscape(bytes: Uint8Array, first: number, end: number): boolean {
  for (let at = first; at >= 0 && at < end; at = bytes.indexOf(BACKSLASH, at + 2))
    if (bytes[at + 1] === LETTER_U) return true;
  return false;
}

function endsInBrace(event: Buffer): boolean {
  let last = event.length - 1;
  while (event[last] === LF || event[last] === CR) last--;
  return event[last] === CLOSE_BRACE;
}

function findTextEnd(event: Buffer, start: number): number {
  for (let end = event.indexOf(QUOTE, start); end >= 0; end = event.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (event[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return event.length;
}

/** The fields that all chunks of a stream share, if the provider writes them. */
interface ChunkHead {
  readonly id?: unknown;
  readonly created?: unknown;
  readonly model?: unknown;
  readonly choices?: unknown;
}

/** The head of an event's chunk; empty for a long event, and for one without a chunk. */
export function readChunkHead(event: Buffer): ChunkHead {
  if (event.byteLength > SYNCHRONOUS_BYTES) return {};
  try {
    const { id, created, model, choices } = JSON.parse(readEventData(event) ?? "{}");
    return { id, created, model, choices };
  } catch {
    return {};
  }
}

const KEY = Buffer.from('"model"');
const EVENT_END = Buffer.from("\n\n");
const FURTHER_DATA = /(?:\r\n|\n|\r)data:/g;

/** The place of the model's name in an event's chunk, as a text; null where it has none. */
export function findModelPlace(event: Buffer): ValuePlace | null {
  const brace = event.indexOf("{");
  if (brace < 0 || !event.includes(KEY)) return null;
  // In Latin-1 a character is a byte. A chunk in several lines is one without what begins them.
  const text = event.toString("latin1", brace).replaceAll(FURTHER_DATA, (start) => " ".repeat(start.length));
  const place = pickModelPlace(text, scanObject(text));
  return place && { start: place.start + brace, end: place.end + brace };
}

/** The place of the model's name in a scanned text; null where it has none. */
function pickModelPlace(text: string, { members }: ScannedObject): ValuePlace | null {
  const model = members.get("model");
  return model && text.charCodeAt(model.valueStart) === QUOTE
    ? { start: model.valueStart, end: model.end }
    : null;
}

/**
 * Gives the chunks of a stream the name of the model that was asked for. A provider writes its own into each chunk,
 * between the same bytes: so the events are searched once, and compared from then on.
 */
export class ModelNames {
  readonly #name: Buffer;
  /** The bytes of an event up to the end of the name, and from the name's key on. */
  #before = Buffer.alloc(0);
  #behind = Buffer.alloc(0);
  #place: ValuePlace = { start: 0, end: 0 };
  #isAsked = false;
  /** How many bytes of `#behind` come before the name. */
  #keyBytes = 0;

  /** @param asked the name that was asked for. */
  constructor(asked: string) {
    this.#name = Buffer.from(JSON.stringify(asked));
  }

  /** @param known the name's place, which was found elsewhere. */
  rename(event: Buffer, known?: ValuePlace | null): Buffer {
    const place = this.#find(event, known);
    if (!place) return event;
    return Buffer.concat([event.subarray(0, place.start), this.#name, event.subarray(place.end)]);
  }

  /** The same for a chunk of events that differ only in their text, each of which ends with two line feeds. */
  renameAlike(chunk: Uint8Array): Uint8Array {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const pieces: Buffer[] = [];
    let copiedUntil = 0;
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(EVENT_END, start) + EVENT_END.length;
      const place = this.#find(bytes.subarray(start, end));
      if (!place) return chunk;
      pieces.push(bytes.subarray(copiedUntil, start + place.start), this.#name);
      copiedUntil = start + place.end;
      start = end;
    }
    pieces.push(bytes.subarray(copiedUntil));
    return Buffer.concat(pieces);
  }

  /** The place of a name that must be replaced. */
  #find(event: Buffer, known?: ValuePlace | null): ValuePlace | null {
    const { start, end } = this.#place;
    const before = this.#before;
    if (end > 0 && event.length >= end && before.compare(event, 0, end) === 0)
      return this.#isAsked ? null : this.#place;
    const behind = this.#behind;
    const from = event.length - behind.length;
    if (end > 0 && from >= 0 && behind.compare(event, from) === 0) {
      if (this.#isAsked) return null;
      const shift = from - (start - this.#keyBytes);
      return { start: start + shift, end: end + shift };
    }
    return this.#learn(event, known === undefined ? findModelPlace(event) : known);
  }

  #learn(event: Buffer, place: ValuePlace | null): ValuePlace | null {
    if (!place) return null;
    const { start, end } = place;
    // The byte before the key is a brace, a comma or a blank, so that no text can end like this.
    const key = event.lastIndexOf(KEY, start - 1) - 1;
    this.#keyBytes = start - key;
    this.#place = place;
    this.#before = Buffer.from(event.subarray(0, end));
    this.#behind = Buffer.from(event.subarray(key));
    this.#isAsked = this.#name.equals(event.subarray(start, end));
    return this.#isAsked ? null : place;
  }
}
