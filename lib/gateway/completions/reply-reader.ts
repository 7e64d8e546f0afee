import type { TokenUsage } from "@/lib/money/charge";
import { type BodyPieces, joinPieces } from "../http/body-reader";
import { dataOf } from "../http/event-splitter";
import { QuestionThread } from "../http/question-thread";
import type { Endpoint } from "../providers/provider-client";
import type { Chunk } from "./anthropic/message-events";
import { type Completion, type MessageReply, translateReply } from "./anthropic/translate-reply";
import { type CompletionFacts, factsOf, placeOfUsage, textOf, type UsagePlace } from "./completion-facts";
import type { EventFacts } from "./event-facts";
import { providerFailed } from "./provider-failure";
import { inputUsageObject, usageObject } from "./read-usage";
import { ReplyMemory } from "./reply-memory";
import type { ReplyAnswer, ReplyQuestion } from "./reply-thread-protocol";

/** What is read at once takes at most two milliseconds or so, whatever it is made of: brackets are the dearest. */
export const READ_AT_ONCE_BYTES = 16 * 1024;
const PATIENCE_MS = 30_000;

/** Long events, and what was read in them. */
export type LongEvents = ReadonlyMap<Buffer, EventFacts>;

/** A completion that has been read; its bytes are the provider's. */
export interface ReadCompletion extends CompletionFacts {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same with another usage. */
  withUsage(usage: TokenUsage): BodyPieces;
}

/**
 * Parses what providers send: short texts at once, long ones on a thread of its own, started with the first. So a long reply
 * never delays other callers' streams.
 */
export class ReplyReader {
  readonly #thread: QuestionThread<ReplyQuestion, ReplyAnswer>;

  /**
   * @param logFault is called with why a thread ended.
   * @param memory limits what all long replies hold together.
   * @param start a thread of `reply-thread.ts`.
   */
  constructor(
    logFault: (reason: string) => void,
    readonly memory = new ReplyMemory(),
    start = () => new Worker(new URL("./reply-thread.ts", import.meta.url)),
  ) {
    this.#thread = new QuestionThread({
      start,
      patienceMs: PATIENCE_MS,
      transferOf: ({ pieces }) => [...new Set(pieces.map(({ buffer }) => buffer))],
      standsAlone: () => true,
      lost: () => providerFailed("The thread that reads long replies ended"),
      tooCostly: () => providerFailed(`Its reply took longer than ${PATIENCE_MS} ms to read`),
      logFault,
    });
  }

  close(): void {
    this.#thread.close();
  }

  /** @throws Refusal 502 for a reply that is none of its endpoint. */
  readCompletion(pieces: BodyPieces, endpoint: Endpoint): ReadCompletion | Promise<ReadCompletion> {
    if (isLong(pieces)) return this.#readLongCompletion(pieces, endpoint);
    const bytes = joinPieces(pieces) as Uint8Array<ArrayBuffer>;
    const text = textOf(bytes);
    const facts = readable(() => factsOf(endpoint, JSON.parse(text)));
    return {
      ...facts,
      bytes,
      withUsage: (usage) => {
        const own = Buffer.from(text);
        return replaceUsage(own, placeOfUsage(text), usageFor(endpoint, usage));
      },
    };
  }

  /** Translates a completion into a Message, as JSON. @throws Refusal 502 where it is no completion. */
  async translateReply(pieces: BodyPieces, options: MessageReply): Promise<BodyPieces> {
    if (!isLong(pieces)) {
      const completion: Completion = readable(() => JSON.parse(textOf(joinPieces(pieces))));
      return [Buffer.from(JSON.stringify(translateReply(completion, options)))];
    }
    const { bytes } = await this.#ask("message", { kind: "message", pieces: giveAway(pieces), options });
    return [bytes];
  }

  /** The long ones among the events of a stream; null where there are none. */
  readLongEvents(events: readonly Buffer[]): Promise<LongEvents> | null {
    const long = events.filter(({ byteLength }) => byteLength > READ_AT_ONCE_BYTES);
    return long.length > 0 ? this.#readEvents(long) : null;
  }

  async #readEvents(events: readonly Buffer[]): Promise<LongEvents> {
    const facts = new Map<Buffer, EventFacts>();
    for (const event of events) {
      const answer = this.#ask("event", { kind: "event", pieces: [new Uint8Array(event)] });
      facts.set(event, (await answer.catch(() => null))?.facts ?? { kind: "unreadable" });
    }
    return facts;
  }

  /** The chunk that an event brings; of a long one the parts that a Message has. @throws Error for what is no JSON. */
  readChunk(event: Buffer): Chunk | "[DONE]" | null | Promise<Chunk> {
    if (event.byteLength > READ_AT_ONCE_BYTES) return this.#readLongChunk(event);
    const data = dataOf(event);
    return data === null || data === "[DONE]" ? data : JSON.parse(data);
  }

  async #readLongChunk(event: Buffer): Promise<Chunk> {
    const { chunk } = await this.#ask("chunk", { kind: "chunk", pieces: [new Uint8Array(event)] });
    return chunk;
  }

  async #readLongCompletion(pieces: BodyPieces, endpoint: Endpoint): Promise<ReadCompletion> {
    const question = { kind: "completion", endpoint, pieces: giveAway(pieces) } as const;
    const { facts, usagePlace, bytes } = await this.#ask("completion", question);
    return {
      ...facts,
      bytes,
      withUsage: (usage) => replaceUsage(bytes, usagePlace, usageFor(endpoint, usage)),
    };
  }

  /** @throws Refusal 502 for what can't be read. */
  async #ask<Kind extends ReplyQuestion["kind"]>(
    kind: Kind,
    question: ReplyQuestion,
  ): Promise<Extract<ReplyAnswer, { kind: Kind }>> {
    const answer = await this.#thread.ask(question);
    if (answer.kind === "unreadable") throw providerFailed(answer.reason);
    return answer as Extract<ReplyAnswer, { kind: Kind }>;
  }
}

function isLong(pieces: BodyPieces): boolean {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0) > READ_AT_ONCE_BYTES;
}

/** The pieces as the thread gets them, together with their memory. Short ones may share theirs, so they are copied. */
function giveAway(pieces: BodyPieces): Uint8Array<ArrayBuffer>[] {
  return pieces.map((piece) =>
    piece.byteLength > READ_AT_ONCE_BYTES ? (piece as Uint8Array<ArrayBuffer>) : new Uint8Array(piece),
  );
}

function readable<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw providerFailed(error);
  }
}

function usageFor(endpoint: Endpoint, usage: TokenUsage): object {
  return endpoint === "embeddings" ? inputUsageObject(usage) : usageObject(usage);
}

function replaceUsage(bytes: Uint8Array, { start, end, isMissing }: UsagePlace, usage: object): BodyPieces {
  const text = `${isMissing ? ',"usage":' : ""}${JSON.stringify(usage)}`;
  return [bytes.subarray(0, start), Buffer.from(text), bytes.subarray(end)];
}
