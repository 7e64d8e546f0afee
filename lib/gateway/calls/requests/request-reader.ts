import type { BodyBounds } from "@/lib/contract/operation";
import { type BodyPieces, countBytes, joinPieces } from "../../http/body-reader";
import { copyToOwnMemory, WorkerClient } from "../../http/worker-client";
import { invalid, Refusal, retryAfter } from "../../refusal";
import type { Terms } from "./build-upstream-body";
import type { Counting } from "./counting";
import type { PreparedRequest, RequestEstimate } from "./prepared-request";
import { type ReadingOptions, readRequest } from "./read-request";
import type { ThreadAnswer, ThreadQuestion, TranslationFacts } from "./request-thread-protocol";

/** Bodies within these bounds take at most five milliseconds on the event loop. */
const SYNCHRONOUS_BOUNDS = { bytes: 128 * 1024, entries: 2_000 };
const MAX_HELD_BYTES = 512 * 1024 * 1024;
const MAX_WAITING = 64;
const TIMEOUT_MS = 10_000;

type Question = Exclude<ThreadQuestion, { kind: "release" }>;

/**
 * Parses requests: short bodies on the event loop, long ones on a thread that starts with the first of them. So a long
 * body never delays other callers' streams.
 */
export class RequestReader {
  readonly #thread: WorkerClient<Question, ThreadAnswer>;
  #heldBytes = 0;
  #lastId = 0;

  /** @param logFault receives the reason why a thread ended. @param start starts a thread of `request-thread.ts`. */
  constructor(
    logFault: (reason: string) => void,
    start = () => new Worker(new URL("./request-thread.ts", import.meta.url)),
  ) {
    this.#thread = new WorkerClient({
      start,
      timeoutMs: TIMEOUT_MS,
      listTransfers: (question) =>
        question.kind === "read" ? question.pieces.map(({ buffer }) => buffer) : [],
      standsAlone: ({ kind }) => kind === "read",
      createLossError,
      createCostError,
      logFault,
    });
  }

  /** @throws Refusal 400 for an invalid body; 503 where too many long ones are waiting. */
  read(
    pieces: BodyPieces,
    options: ReadingOptions,
    bounds: BodyBounds,
  ): PreparedRequest | Promise<PreparedRequest> {
    const size = countBytes(pieces);
    if (size > SYNCHRONOUS_BOUNDS.bytes) return this.#readOnThread({ pieces, size }, options, bounds);
    const bytes = joinPieces(pieces);
    try {
      return readRequest(bytes, options, { entries: Math.min(SYNCHRONOUS_BOUNDS.entries, bounds.entries) });
    } catch (error) {
      const isLong = error instanceof Refusal && error.code === "too_many_entries";
      if (isLong) return this.#readOnThread({ pieces: [bytes], size }, options, bounds);
      throw error;
    }
  }

  close(): void {
    this.#thread.close();
  }

  async #readOnThread(
    { pieces, size }: { pieces: BodyPieces; size: number },
    options: ReadingOptions,
    { entries }: BodyBounds,
  ): Promise<PreparedRequest> {
    if (this.#heldBytes + size > MAX_HELD_BYTES || this.#thread.waiting >= MAX_WAITING)
      throw createMemoryError();
    const id = ++this.#lastId;
    let { generation } = this.#thread;
    this.#heldBytes += size;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      this.#heldBytes -= size;
      if (generation === this.#thread.generation) this.#thread.tell({ kind: "release", id });
    };
    const ask = (question: Question) => {
      if (generation !== this.#thread.generation) throw createLossError();
      return this.#thread.ask(question);
    };
    try {
      const question = { kind: "read", id, pieces: pieces.map(copyToOwnMemory), options, entries } as const;
      const { read } = expectAnswer("read", await this.#thread.ask(question));
      ({ generation } = this.#thread);
      if (read.answeredBy === "task") return { ...read, order: null, release };
      let translated: TranslationFacts = {};
      return {
        ...read,
        get message() {
          return translated.message;
        },
        get chatReply() {
          return translated.chatReply;
        },
        get leftOut() {
          return translated.leftOut;
        },
        async estimate(counting: Counting): Promise<RequestEstimate> {
          const answer = expectAnswer("estimate", await ask({ kind: "estimate", id, counting }));
          ({ translated } = answer);
          return answer.estimate;
        },
        async upstream(terms: Terms) {
          const answer = expectAnswer("upstream", await ask({ kind: "upstream", id, terms }));
          ({ translated } = answer);
          return answer.bytes;
        },
        release,
      };
    } catch (error) {
      release();
      throw error;
    }
  }
}

/** @throws Refusal where the thread refused the body; Error for an internal fault. */
function expectAnswer<Kind extends ThreadAnswer["kind"]>(
  kind: Kind,
  answer: ThreadAnswer,
): Extract<ThreadAnswer, { kind: Kind }> {
  if (answer.kind === "refused") {
    const { status, type, code, message, details } = answer.refusal;
    throw new Refusal(status, type, code, message, details);
  }
  if (answer.kind !== kind) {
    throw new Error(answer.kind === "fault" ? answer.reason : `Asked for ${kind}, got ${answer.kind}`);
  }
  return answer as Extract<ThreadAnswer, { kind: Kind }>;
}

const retryLater = { headers: retryAfter(1) };

function createMemoryError(): Refusal {
  const message = "The gateway is reading as many long requests as it has memory for. Try again in a second.";
  return new Refusal(503, "service_error", "too_much_at_once", message, retryLater);
}

function createLossError(): Refusal {
  const message = "The gateway lost this request while it was read; nothing was sent. Try again in a second.";
  return new Refusal(503, "service_error", "too_much_at_once", message, retryLater);
}

function createCostError(): Refusal {
  const message = `The body takes longer than ${TIMEOUT_MS / 1000} seconds to read. Send a smaller one.`;
  return invalid("body", message, "too_many_entries");
}
