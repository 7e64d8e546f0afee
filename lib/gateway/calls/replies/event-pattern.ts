import { hasUnicodeEscape } from "./delta-bytes";

const [LF, CR, QUOTE, BACKSLASH] = [0x0a, 0x0d, 0x22, 0x5c];
/**
 * The misses in a row after which the pattern is not replaced any more: the stream's events differ in more than their
 * text.
 */
const MAX_MISSES = 16;

/**
 * The bytes before and after the text that all events of a stream share, as with most providers. Comparing them costs a
 * fraction of splitting a chunk into events and parsing each.
 */
export class EventPattern {
  #before: Buffer | null = null;
  #behind = Buffer.alloc(0);
  #firstLf = 0;
  #misses = 0;
  /** The number of events with text in the last match, and the total size of their text. */
  events = 0;
  bytes = 0;

  /** Learns an event as the pattern. Its text, still escaped as JSON, is at `start` to `end`. */
  learn(event: Buffer, start: number, end: number): void {
    if (this.#misses >= MAX_MISSES || event.includes(CR)) return;
    this.#misses++;
    this.#before = Buffer.from(event.subarray(0, start));
    this.#behind = Buffer.from(event.subarray(end));
    this.#firstLf = this.#behind.indexOf(LF);
  }

  /** @returns the size of the whole matching events at the start of a chunk. */
  matchStart(chunk: Uint8Array): number {
    const before = this.#before;
    this.events = 0;
    this.bytes = 0;
    if (before === null) return 0;
    const behind = this.#behind;
    let at = 0;
    let escape = chunk.indexOf(BACKSLASH);
    while (at < chunk.length) {
      const start = at + before.length;
      if (start >= chunk.length || before.compare(chunk, at, start) !== 0) break;
      const end = chunk.indexOf(QUOTE, start);
      const next = end + behind.length;
      if (end < 0 || next > chunk.length || chunk[end - 1] === BACKSLASH) break;
      // A line end within the text would end the event.
      if (chunk.indexOf(LF, start) !== end + this.#firstLf || behind.compare(chunk, end, next) !== 0) break;
      if (escape >= 0 && escape < start) escape = chunk.indexOf(BACKSLASH, start);
      if (hasUnicodeEscape(chunk, escape, end)) break;
      if (end > start) this.events++;
      this.bytes += end - start;
      at = next;
    }
    if (at === 0) return 0;
    const cr = chunk.indexOf(CR);
    if (cr >= 0 && cr < at) return 0;
    this.#misses = 0;
    return at;
  }
}
