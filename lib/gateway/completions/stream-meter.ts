import type { TokenUsage } from "@/lib/money/charge";
import { dataOf } from "../http/event-splitter";
import { readUsage } from "./read-usage";

const BYTES_PER_TOKEN = 4;
const USAGE = Buffer.from('"usage"');
const ERROR = Buffer.from('"error"');
const DONE = Buffer.from("[DONE]");
const OPEN_BRACE = 0x7b;

/** What an event of a completion stream is to the gateway. */
export type EventRole = "content" | "usage" | "done" | "error";

/**
 * Reads along with a stream of `chat.completion.chunk` events. Only events that carry what is looked for are parsed; a
 * mark that is quoted in the model's text has its quotes escaped there, and is not found.
 */
export class StreamMeter {
  #usage: TokenUsage | null = null;
  #events = 0;
  #bytes = 0;
  #shortest = Number.POSITIVE_INFINITY;

  constructor(
    private readonly options: {
      /** True where each event is one token, and nothing has to be guessed by length. */
      readonly isTokenPerEvent: boolean;
      readonly choices: number;
      readonly maxCompletionTokens: number;
    },
  ) {}

  /** The last usage the provider reported and that can be believed. */
  get reported(): TokenUsage | null {
    return this.#usage;
  }

  /** Whether anything has been generated. */
  get hasContent(): boolean {
    return this.#events > 0;
  }

  /**
   * What was generated until now, counted: one token an event, or what the events hold beyond the shortest of them at 4 bytes
   * a token where that is more. The first event of each choice names the role only.
   */
  get completionTokens(): number {
    const { isTokenPerEvent, choices, maxCompletionTokens } = this.options;
    const byEvents = Math.max(0, this.#events - choices);
    const contentBytes = this.#events === 0 ? 0 : this.#bytes - this.#events * this.#shortest;
    const byBytes = isTokenPerEvent ? 0 : Math.ceil(contentBytes / BYTES_PER_TOKEN);
    return Math.min(Math.max(byEvents, byBytes), maxCompletionTokens);
  }

  read(event: Buffer): EventRole {
    if (hasValueObject(event, USAGE) || event.indexOf(ERROR) >= 0 || event.indexOf(DONE) >= 0) {
      const role = this.#readClosely(event);
      if (role !== "content") return role;
    }
    this.#events++;
    this.#bytes += event.byteLength;
    if (event.byteLength < this.#shortest) this.#shortest = event.byteLength;
    return "content";
  }

  #readClosely(event: Buffer): EventRole {
    const data = dataOf(event);
    if (data === null) return "content";
    if (data.trim() === "[DONE]") return "done";
    const chunk = parseChunk(data);
    if (chunk.error && !Array.isArray(chunk.choices)) return "error";
    if (!chunk.usage) return "content";
    this.#usage = readUsage(chunk.usage);
    return Array.isArray(chunk.choices) && chunk.choices.length === 0 ? "usage" : "content";
  }
}

interface Chunk {
  readonly choices?: unknown;
  readonly usage?: unknown;
  readonly error?: unknown;
}

function parseChunk(data: string): Chunk {
  try {
    const chunk: unknown = JSON.parse(data);
    return typeof chunk === "object" && chunk !== null ? chunk : {};
  } catch {
    return {};
  }
}

/** Whether a key stands in the event with anything but `null`; providers send `"usage":null` with every chunk. */
function hasValueObject(event: Buffer, key: Buffer): boolean {
  for (let at = event.indexOf(key); at >= 0; at = event.indexOf(key, at + key.length)) {
    let index = at + key.length;
    while (isBlank(event[index]) || event[index] === 0x3a) index++;
    if (event[index] === OPEN_BRACE) return true;
  }
  return false;
}

function isBlank(code: number | undefined): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
