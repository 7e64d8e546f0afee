import { EventSplitter, MAX_EVENT_BYTES } from "../../http/event-splitter";
import { parseBounded } from "../../http/parse-bounded";
import { readEventFacts } from "./event-facts";

/** The longest event that is looked at; one that tells an error is short. */
const MAX_ERROR_BYTES = 64 * 1024;

interface FoundError {
  readonly event: Buffer;
  /** How many bytes of the piece come before the event. */
  readonly offset: number;
}

/** Finds the event by which a stream of speech or of a transcript tells that its provider failed. */
export class StreamErrorFinder {
  readonly #splitter = new EventSplitter();
  #isLost = false;

  /** Looks at the next piece of the stream. */
  find(piece: Uint8Array): FoundError | null {
    if (this.#isLost) return null;
    let offset = -this.#splitter.restBytes;
    for (const event of this.#splitter.push(piece)) {
      if (isError(event)) return { event, offset: Math.max(0, offset) };
      offset += event.byteLength;
    }
    this.#isLost = this.#splitter.restBytes > MAX_EVENT_BYTES;
    if (this.#isLost) this.#splitter.flush();
    return null;
  }

  /** The error at the end of the stream, which may lack its empty line. */
  findLast(): Buffer | null {
    const event = this.#splitter.flush();
    return isError(event) ? event : null;
  }
}

/** An error in any form that a stream of a completion may tell it in, also as `event: error`. */
function isError(event: Buffer): boolean {
  if (event.byteLength > MAX_ERROR_BYTES || !event.includes("error")) return false;
  return readEventFacts(event, parseBounded).kind === "error";
}
