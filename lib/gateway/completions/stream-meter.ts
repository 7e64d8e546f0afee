import type { TokenUsage } from "@/lib/money/charge";
import { dataOf } from "../http/event-splitter";
import { isBlank } from "../http/is-blank";
import { deltaBytes } from "./delta-bytes";
import { readUsage } from "./read-usage";

const BYTES_PER_TOKEN = 4;
const USAGE = Buffer.from('"usage"');
const ERROR = Buffer.from('"error"');
const DONE = Buffer.from("[DONE]");
const OPEN_BRACE = 0x7b;

/** What an event of a completion stream is to the gateway. */
export type EventRole = "content" | "usage" | "done" | "error" | "unreadable";

/**
 * Reads along with a stream of `chat.completion.chunk` events. Only events that carry what is looked for are parsed; a
 * mark that is quoted in the model's text has its quotes escaped there, and is not found.
 */
export class StreamMeter {
  #usage: TokenUsage | null = null;
  #events = 0;
  #bytes = 0;

  constructor(
    private readonly options: {
      /** True where each event is one token, and nothing has to be guessed by length. */
      readonly isTokenPerEvent: boolean;
      readonly maxCompletionTokens: number;
    },
  ) {}

  /** The last usage the provider reported; null where there is none, or the last can't be believed. */
  get reported(): TokenUsage | null {
    return this.#usage;
  }

  /** Whether anything has been generated. */
  get hasContent(): boolean {
    return this.#events > 0;
  }

  /** What was generated until now, counted: one token an event that brings text, or its bytes ÷ 4 where that is more. */
  get completionTokens(): number {
    const { isTokenPerEvent, maxCompletionTokens } = this.options;
    const byBytes = isTokenPerEvent ? 0 : Math.ceil(this.#bytes / BYTES_PER_TOKEN);
    return Math.min(Math.max(this.#events, byBytes), maxCompletionTokens);
  }

  read(event: Buffer): EventRole {
    if (hasObject(event, USAGE) || event.indexOf(ERROR) >= 0 || event.indexOf(DONE) >= 0) {
      const role = this.#readClosely(event);
      if (role !== "content") return role;
    }
    const bytes = deltaBytes(event, parseChunk);
    if (bytes === null) return "unreadable";
    if (bytes > 0) this.#events++;
    this.#bytes += bytes;
    return "content";
  }

  #readClosely(event: Buffer): EventRole {
    if (dataOf(event)?.trim() === "[DONE]") return "done";
    const chunk = parseChunk(event);
    if (!chunk) return "unreadable";
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

/** The event's data; empty for a comment, null for what is no JSON. */
function parseChunk(event: Buffer): Chunk | null {
  const data = dataOf(event);
  if (data === null || data.trim() === "") return {};
  try {
    const chunk: unknown = JSON.parse(data);
    return typeof chunk === "object" && chunk !== null ? chunk : {};
  } catch {
    return null;
  }
}

/** Whether a key stands in the event with an object; providers send `"usage":null` with every other chunk. */
function hasObject(event: Buffer, key: Buffer): boolean {
  for (let at = event.indexOf(key); at >= 0; at = event.indexOf(key, at + key.length)) {
    let index = at + key.length;
    while (isBlank(event[index]) || event[index] === 0x3a) index++;
    if (event[index] === OPEN_BRACE) return true;
  }
  return false;
}
