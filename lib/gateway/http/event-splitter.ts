const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
/** The maximum length of an event's incomplete end. */
const MAX_PARTIAL_END_BYTES = 3;

/** The longest event that is read of a stream whose bytes pass by. */
export const MAX_EVENT_BYTES = 4 * 1024 * 1024;

/**
 * Splits a stream of server-sent events at the ends of its events, wherever chunks end. An event ends with an empty
 * line; lines end with LF, CRLF or CR (WHATWG HTML, section 9.2.6). No byte is changed.
 */
export class EventSplitter {
  #incompletePieces: Buffer[] = [];
  #restBytes = 0;

  /** @param largeBytes from this size on, a growing event is not joined and searched again for each chunk. */
  constructor(private readonly largeBytes = 16 * 1024) {}

  /** The bytes received of an unfinished event. */
  get restBytes(): number {
    return this.#restBytes;
  }

  /** @returns the events that are now complete, each with its empty line. */
  push(chunk: Uint8Array): Buffer[] {
    const bytesReceived = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#restBytes > this.largeBytes && !this.#endsIn(bytesReceived)) {
      if (bytesReceived.byteLength > 0) this.#incompletePieces.push(bytesReceived);
      this.#restBytes += bytesReceived.byteLength;
      return [];
    }
    const bytes =
      this.#restBytes === 0 ? bytesReceived : Buffer.concat([...this.#incompletePieces, bytesReceived]);
    const hasCr = bytes.indexOf(CR) >= 0;
    const events: Buffer[] = [];
    let start = 0;
    // Earlier bytes hold no end of an event, except that their last ones may begin it.
    const searched = Math.max(0, this.#restBytes - MAX_PARTIAL_END_BYTES);
    for (let end = findEventEnd(bytes, searched, hasCr); end > 0; end = findEventEnd(bytes, start, hasCr)) {
      events.push(bytes.subarray(start, end));
      start = end;
    }
    this.#restBytes = bytes.byteLength - start;
    if (this.#restBytes > 0) this.#incompletePieces = [bytes.subarray(start)];
    return events;
  }

  /** The remainder when the stream ends: an event without its empty line, or nothing. */
  flush(): Buffer {
    const remainder = this.#restBytes === 0 ? Buffer.alloc(0) : Buffer.concat(this.#incompletePieces);
    this.#restBytes = 0;
    return remainder;
  }

  /** Whether the new bytes complete the unfinished event. */
  #endsIn(bytesReceived: Buffer): boolean {
    const ends = this.#incompletePieces
      .slice(-MAX_PARTIAL_END_BYTES)
      .map((part) => part.subarray(-MAX_PARTIAL_END_BYTES));
    const end = Buffer.concat([Buffer.concat(ends).subarray(-MAX_PARTIAL_END_BYTES), bytesReceived]);
    return findEventEnd(end, 0, end.indexOf(CR) >= 0) > 0;
  }
}

/** The offset after the first empty line from `start` on; 0 if there is none. */
function findEventEnd(bytes: Buffer, start: number, hasCr: boolean): number {
  if (!hasCr) {
    const position = bytes.indexOf("\n\n", start);
    return position < 0 ? 0 : position + 2;
  }
  let isLineEmpty = false;
  for (let index = start; index < bytes.length; index++) {
    const code = bytes[index];
    if (code !== LF && code !== CR) {
      isLineEmpty = false;
      continue;
    }
    const isCrLf = code === CR && bytes[index + 1] === LF;
    // A CR at the very end may be the first part of a CRLF, so wait for the next byte.
    if (code === CR && index + 1 === bytes.length) return 0;
    if (isCrLf) index++;
    if (isLineEmpty) return index + 1;
    isLineEmpty = true;
  }
  return 0;
}

/** The value of an event's `event:` line; null without one. */
export function readEventName(event: Buffer): string | null {
  if (!event.includes("event:")) return null;
  return /^event:[ \t]*([^\r\n]*?)[ \t]*$/m.exec(event.toString())?.[1] ?? null;
}

/** What a server wrote into its stream without the field `data:`, such as a page, plain JSON, or `error:` and JSON. */
export function readBareText(event: Buffer): string {
  const lines = event
    .toString()
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/);
  const bare = lines.filter((line) => !/^(?:(?:data|event|id|retry)?:|(?:data|event|id|retry)$)/.test(line));
  return bare
    .join("\n")
    .replace(/^\s*error:/, "")
    .trim();
}

/** Whether an event has nothing but comments, with which servers keep a connection open. */
export function isComment(event: Buffer): boolean {
  return event[0] === COLON && !/[\r\n][^:\r\n]/.test(event.toString());
}

/** An event with this value as its data. */
export function formatEvent(value: unknown): Buffer {
  return Buffer.from(`data: ${JSON.stringify(value)}\n\n`);
}

/**
 * The data of an event: its `data:` lines, joined by LF; null for a comment or an event without data. A byte order mark
 * before the first event of a stream is ignored (WHATWG HTML, section 9.2.5).
 */
export function readEventData(event: Buffer): string | null {
  const lines = event
    .toString()
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/);
  const data = lines
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).replace(/^ /, ""));
  return data.length === 0 ? null : data.join("\n");
}
