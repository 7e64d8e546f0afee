import { estimateWrittenTokens } from "../usage/estimate-written-tokens";
import type { ProviderUsage } from "../usage/read-usage";
import { findPlainDelta } from "./delta-bytes";
import { type EventFacts, readEventFacts } from "./event-facts";
import { EventPattern } from "./event-pattern";

/** The maximum average bytes per token of a whole answer, and the maximum that one token can add. */
const MAX_BYTES_PER_TOKEN = 16;
const MAX_TOKEN_BYTES = 256;

/** The kind of a completion stream's event. */
export type EventRole = "content" | "usage" | "done" | "error" | "unreadable";

/** Counts the tokens of a stream of `chat.completion.chunk` events. Uncommon chunks are parsed as JSON. */
export class StreamMeter {
  #usage: ProviderUsage | null = null;
  #bytesAtUsage = 0;
  #events = 0;
  /** Of the text, and of the speech as the bytes of a text with as many tokens. */
  #bytes = 0;
  readonly #pattern = new EventPattern();

  /** @param isTokenPerEvent true where each event is one token, so that tokens need not be estimated by length. */
  constructor(
    private readonly isTokenPerEvent: boolean,
    private readonly maxCompletionTokens: number,
  ) {}

  /** The provider's last reported usage; null where there is none, or the last is implausible. */
  get reported(): ProviderUsage | null {
    return this.#usage;
  }

  /** Whether the reported usage is complete: nothing was generated after it. */
  get isReportedLast(): boolean {
    return this.#usage !== null && this.#bytes === this.#bytesAtUsage;
  }

  /** Whether anything has been generated. */
  get hasContent(): boolean {
    return this.#bytes > 0;
  }

  /** Tokens generated so far: one for each event with text, or the text's bytes ÷ 4 where that is more. */
  get completionTokens(): number {
    const { isTokenPerEvent, maxCompletionTokens } = this;
    const byBytes = isTokenPerEvent ? 0 : estimateWrittenTokens(this.#bytes);
    return Math.min(Math.max(this.#events, byBytes), maxCompletionTokens);
  }

  /** Whether the provider has exceeded the output limit. */
  get exceedsLimit(): boolean {
    return this.#exceedsLimit(this.#events, this.#bytes);
  }

  #exceedsLimit(events: number, bytes: number): boolean {
    const { maxCompletionTokens } = this;
    return (
      events > maxCompletionTokens || bytes > maxCompletionTokens * MAX_BYTES_PER_TOKEN + MAX_TOKEN_BYTES
    );
  }

  /**
   * Counts the events at the start of a chunk that differ from the pattern only in their text.
   * @returns their size; 0, without counting, where there are none or they would exceed the limit.
   */
  countMatching(chunk: Uint8Array): number {
    const read = this.#pattern.matchStart(chunk);
    if (read === 0) return 0;
    const [events, bytes] = [this.#events + this.#pattern.events, this.#bytes + this.#pattern.bytes];
    if (this.#exceedsLimit(events, bytes)) return 0;
    this.#events = events;
    this.#bytes = bytes;
    return read;
  }

  read(event: Buffer): EventRole {
    if (this.countMatching(event) > 0) return "content";
    const delta = findPlainDelta(event);
    // Without text it may be the end, and tell how the provider ended.
    if (delta === null || delta.start === delta.end) return this.take(readEventFacts(event, JSON.parse));
    this.#pattern.learn(event, delta.start, delta.end);
    this.#count(delta.end - delta.start, 0);
    return "content";
  }

  /** Counts an event that was parsed elsewhere. */
  take(facts: EventFacts): EventRole {
    if (facts.kind === "comment") return "content";
    if (facts.kind !== "chunk" && facts.kind !== "error") return facts.kind;
    this.#count(facts.bytes, facts.speechBytes);
    if (facts.kind === "error") return "error";
    if (!facts.hasUsage) return "content";
    this.#usage = facts.reported;
    this.#bytesAtUsage = this.#bytes;
    return facts.isWithoutChoices ? "usage" : "content";
  }

  /** An event with text is at least a token. Speech comes in pieces of any length, so only its size counts. */
  #count(textBytes: number, speechBytes: number): void {
    if (textBytes > 0) this.#events++;
    this.#bytes += textBytes + speechBytes;
  }
}
