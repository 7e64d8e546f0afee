import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import { joinFigures, type ReportedFigures } from "../usage/read-usage";
import {
  countLeastOutput,
  estimateOutputUsage,
  estimateWrittenTokens,
  type OutputSize,
  type OutputUsage,
  SPEECH_LENGTH_PER_TEXT_BYTE,
} from "../usage/resolve-usage";
import { findPlainPiece, parseMessageEvent } from "./message-event";
import { parseResponseEvent } from "./response-event";
import {
  findPlainDelta,
  hasUnicodeEscape,
  mayBeFinished,
  type ParsedEvent,
  type PlainDelta,
  parseEvent,
} from "./stream-event";

/** How the events of a stream are read in one protocol. */
export interface EventForm {
  /** The text of an event that has nothing else, found without parsing; null for any other event. */
  findPlainDelta(event: Buffer): PlainDelta | null;
  /** Whether an event with text may also end an answer. */
  mayBeFinished(event: Buffer): boolean;
  /** @param parse throws for invalid JSON. */
  parse(event: Buffer, parse: (text: string) => unknown): ParsedEvent;
}

/** By the protocol of the stream. */
export const eventForms: Readonly<Record<ProviderProtocol, EventForm>> = {
  chat: { findPlainDelta, mayBeFinished, parse: parseEvent },
  // The numbers of events differ, so that no two are alike.
  responses: { findPlainDelta: () => null, mayBeFinished: () => false, parse: parseResponseEvent },
  messages: { findPlainDelta: findPlainPiece, mayBeFinished: () => false, parse: parseMessageEvent },
};

/** The maximum average bytes per token of a whole answer, and the maximum that one token can add. */
const MAX_BYTES_PER_TOKEN = 16;
const MAX_TOKEN_BYTES = 256;
/** Text is counted as JSON writes it, where a line end or a quote has two bytes. */
const BYTES_PER_COUNTED_BYTE = 2;

/** The kind of a completion stream's event. Only content is passed on at once, which includes comments. */
export type EventRole = "content" | "usage" | Exclude<ParsedEvent["kind"], "comment" | "chunk">;

/** Counts the tokens of a stream of events. Uncommon events are parsed as JSON. */
export class StreamMeter {
  #usage: ReportedFigures | null = null;
  #amountAtUsage = 0;
  /** The events with text. */
  #events = 0;
  #textBytes = 0;
  #speechLength = 0;
  #pictures = 0;
  readonly #pattern = new EventPattern();
  #hasChunk = false;
  readonly #begun = new Set<number>();
  readonly #finished = new Set<number>();

  /** @param isTokenPerEvent true where each event is one token, so that tokens need not be estimated by length. */
  constructor(
    private readonly isTokenPerEvent: boolean,
    private readonly maxCompletionTokens: number,
    /** How many choices were asked for. */
    private readonly choices = 1,
    private readonly form: EventForm = eventForms.chat,
  ) {}

  /** Whether anything came that belongs to an answer. */
  get hasChunk(): boolean {
    return this.#hasChunk;
  }

  /** Whether the answer is whole: each choice that began has its finish reason. */
  get isFinished(): boolean {
    return this.#finished.size > 0 && this.#finished.size === this.#begun.size;
  }

  /** The provider's reported usage so far: the last of each figure. Null where there is none. */
  get reported(): ReportedFigures | null {
    return this.#usage;
  }

  /** Whether the reported output is complete: nothing was generated after it. */
  get isReportedLast(): boolean {
    return this.#usage !== null && this.#amount === this.#amountAtUsage;
  }

  /** No true report of the output is below this. */
  get minCompletionTokens(): number {
    if (!this.isReportedLast) return this.completionTokens;
    return this.isTokenPerEvent ? 0 : countLeastOutput(this.size, BYTES_PER_COUNTED_BYTE);
  }

  /** Whether anything has been generated. */
  get hasContent(): boolean {
    return this.#amount > 0;
  }

  /** Grows with all that is generated. */
  get #amount(): number {
    return this.#textBytes + this.#speechLength + this.#pictures;
  }

  /** What was generated so far. */
  get size(): OutputSize {
    return { textBytes: this.#textBytes, speechLength: this.#speechLength, pictures: this.#pictures };
  }

  /** Tokens generated so far. A text has one for each event, or its bytes ÷ 4 where that is more. */
  get counted(): OutputUsage {
    const byBytes = this.isTokenPerEvent ? 0 : estimateWrittenTokens(this.#textBytes);
    return estimateOutputUsage(this.size, this.maxCompletionTokens, Math.max(this.#events, byBytes));
  }

  get completionTokens(): number {
    return this.counted.completionTokens;
  }

  /** Whether the provider has exceeded the output limit. */
  get exceedsLimit(): boolean {
    return this.#exceedsLimit(this.#events, this.#textBytes);
  }

  /** Pictures never exceed it: providers count them as they like, some beyond `max_tokens`. */
  #exceedsLimit(events: number, textBytes: number): boolean {
    const { maxCompletionTokens } = this;
    const bytes = textBytes + this.#speechLength / SPEECH_LENGTH_PER_TEXT_BYTE;
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
    const [events, bytes] = [this.#events + this.#pattern.events, this.#textBytes + this.#pattern.bytes];
    if (this.#exceedsLimit(events, bytes)) return 0;
    this.#events = events;
    this.#textBytes = bytes;
    return read;
  }

  read(event: Buffer): EventRole {
    if (this.countMatching(event) > 0) return "content";
    const { form } = this;
    const delta = form.findPlainDelta(event);
    // An event without text may be the last one, and tell how the provider ended.
    if (delta === null || delta.start === delta.end) return this.take(form.parse(event, JSON.parse));
    this.#hasChunk = true;
    if (form.mayBeFinished(event)) this.#noteChoices(form.parse(event, JSON.parse));
    else {
      if (this.choices > 1) this.#noteChoices(form.parse(event, JSON.parse));
      this.#pattern.learn(event, delta.start, delta.end);
    }
    this.#countText(delta.end - delta.start);
    return "content";
  }

  #noteChoices(parsed: ParsedEvent): void {
    if (parsed.kind !== "chunk") return;
    for (const { index, isFinished } of parsed.choices) {
      this.#begun.add(index);
      if (isFinished) this.#finished.add(index);
    }
  }

  /** Counts an event that was parsed elsewhere. */
  take(parsed: ParsedEvent): EventRole {
    if (parsed.kind === "comment") return "content";
    if (parsed.kind !== "chunk" && parsed.kind !== "error") return parsed.kind;
    const { textBytes, speechLength, pictures } = parsed.size;
    this.#countText(textBytes);
    this.#speechLength += speechLength;
    this.#pictures += pictures;
    if (parsed.kind === "error") return "error";
    this.#noteChoices(parsed);
    this.#hasChunk ||= parsed.choices.length > 0 || parsed.reported !== null;
    if (parsed.reported) {
      this.#usage = joinFigures(this.#usage, parsed.reported);
      if (parsed.reported.completionTokens || parsed.reported.totalTokens) this.#amountAtUsage = this.#amount;
    }
    return parsed.isUsageAlone ? "usage" : "content";
  }

  /** An event with text is at least a token. Speech comes in pieces of any length, so only its size counts. */
  #countText(bytes: number): void {
    if (bytes > 0) this.#events++;
    this.#textBytes += bytes;
  }
}

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

  /** The text of an event that has the pattern; null for any other event, and for a text with escapes. */
  readText(event: Buffer): string | null {
    const before = this.#before;
    const end = event.length - this.#behind.length;
    if (before === null || end < before.length) return null;
    if (before.compare(event, 0, before.length) !== 0 || this.#behind.compare(event, end) !== 0) return null;
    const text = event.toString("utf8", before.length, end);
    if (JSON.stringify(text).length !== text.length + 2) return null;
    this.#misses = 0;
    return text;
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
