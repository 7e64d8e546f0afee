import type { TokenUsage } from "@/lib/money/charge";
import { findPlainDelta } from "./delta-bytes";
import { type EventFacts, eventFactsOf } from "./event-facts";
import { EventPattern } from "./event-pattern";

const BYTES_PER_TOKEN = 4;
/** More bytes per token than the text of a whole answer has; and the length that a single token can add to it. */
const MOST_BYTES_PER_TOKEN = 16;
const LONGEST_TOKEN_BYTES = 256;

/** What an event of a completion stream carries. */
export type EventRole = "content" | "usage" | "done" | "error" | "unreadable";

/** Reads along with a stream of `chat.completion.chunk` events. All but the usual chunk are read as JSON. */
export class StreamMeter {
  #usage: TokenUsage | null = null;
  #eventsAtUsage = 0;
  #events = 0;
  #bytes = 0;
  readonly #pattern = new EventPattern();

  constructor(
    private readonly options: {
      /** True where each event is one token, so that tokens need not be estimated by length. */
      readonly isTokenPerEvent: boolean;
      readonly maxCompletionTokens: number;
    },
  ) {}

  /** The last usage the provider reported; null where there is none, or the last can't be believed. */
  get reported(): TokenUsage | null {
    return this.#usage;
  }

  /** Whether what was reported is of all that has come: nothing was generated after it. */
  get isReportedLast(): boolean {
    return this.#usage !== null && this.#events === this.#eventsAtUsage;
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

  /** Whether more has come than the provider was allowed: an event is a token at least, and no text has so many bytes a token. */
  get isBeyondMost(): boolean {
    return this.#isBeyondMost(this.#events, this.#bytes);
  }

  #isBeyondMost(events: number, bytes: number): boolean {
    const { maxCompletionTokens } = this.options;
    return (
      events > maxCompletionTokens || bytes > maxCompletionTokens * MOST_BYTES_PER_TOKEN + LONGEST_TOKEN_BYTES
    );
  }

  /**
   * Reads the events that a chunk begins with, as far as they are like the last usual one but for their text.
   * @returns their bytes; 0, and nothing read, where there are none or they are beyond the most.
   */
  readAlike(chunk: Uint8Array): number {
    const read = this.#pattern.matchStart(chunk);
    if (read === 0) return 0;
    const [events, bytes] = [this.#events + this.#pattern.events, this.#bytes + this.#pattern.bytes];
    if (this.#isBeyondMost(events, bytes)) return 0;
    this.#events = events;
    this.#bytes = bytes;
    return read;
  }

  read(event: Buffer): EventRole {
    if (this.readAlike(event) > 0) return "content";
    const delta = findPlainDelta(event);
    if (delta === null) return this.take(eventFactsOf(event, JSON.parse));
    this.#pattern.learn(event, delta.start, delta.end);
    this.#count(delta.end - delta.start);
    return "content";
  }

  /** Counts an event that was read elsewhere. */
  take(facts: EventFacts): EventRole {
    if (facts.kind === "comment") return "content";
    if (facts.kind !== "chunk") return facts.kind;
    this.#count(facts.bytes);
    if (!facts.hasUsage) return "content";
    this.#usage = facts.reported;
    this.#eventsAtUsage = this.#events;
    return facts.isWithoutChoices ? "usage" : "content";
  }

  #count(bytes: number): void {
    if (bytes > 0) this.#events++;
    this.#bytes += bytes;
  }
}
