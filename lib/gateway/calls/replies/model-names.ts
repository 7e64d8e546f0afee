import { type ScannedObject, scanObject } from "../../http/json";

/** Where the value of a member stands, in bytes. */
export interface ValuePlace {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
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
