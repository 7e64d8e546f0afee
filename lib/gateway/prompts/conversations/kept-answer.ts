import { setTimeout as sleep } from "node:timers/promises";
import type { KeptAnswerPart, KeptAnswerRecord, ReplyHead } from "./kept-answer-store.sql";

/** A client that leaves so many bytes unread holds the reply up, and loses its copy if it still reads nothing. */
const MAX_UNREAD_BYTES = 8_000_000;
const PATIENCE_MS = 10_000;

/** A client's copy of a reply that is read to its end without the client. */
class ClientCopy {
  readonly body: ReadableStream<Uint8Array>;
  /** Null once the client has left, or the copy has ended. */
  #client: ReadableStreamDefaultController<Uint8Array> | null = null;
  #endWait: (() => void) | null = null;

  /** @param patienceMs how long the reply waits for a client that reads nothing. */
  constructor(private readonly patienceMs = PATIENCE_MS) {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#client = controller;
        },
        pull: () => this.#endWait?.(),
        cancel: () => {
          this.#client = null;
          this.#endWait?.();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
    );
  }

  /** Passes bytes on, and waits while too many are unread. */
  async forward(bytes: Uint8Array): Promise<void> {
    this.#client?.enqueue(bytes);
    if (!this.#isFull()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endWait = resolve;
    const timer = setTimeout(resolve, this.patienceMs);
    await promise;
    clearTimeout(timer);
    this.#endWait = null;
    if (this.#isFull()) this.breakOff();
  }

  /** Ends the copy. `last` is sent before its end. */
  close(last = new Uint8Array()): void {
    if (last.byteLength > 0) this.#client?.enqueue(last);
    this.#client?.close();
    this.#client = null;
    this.#endWait?.();
  }

  /** Ends the copy so that its client can't take it for a whole one. Its reason is logged elsewhere. */
  breakOff(): void {
    this.#client?.error();
    this.#client = null;
    this.#endWait?.();
  }

  #isFull(): boolean {
    return (this.#client?.desiredSize ?? MAX_UNREAD_BYTES) <= 0;
  }
}

type StoredAnswer = Omit<KeptAnswerRecord, "isCanceled">;

interface KeptAnswerOptions {
  readonly answer: StoredAnswer;
  readonly nowMs: () => number;
  /** Stores the present state and a further part. @returns true if the call was canceled. */
  write(answer: StoredAnswer, part: KeptAnswerPart | null): Promise<boolean>;
  logFault(error: unknown): void;
  /** How long the reply waits for a client that has much unread; absent for the usual time. */
  readonly patienceMs?: number;
}

/** For this long, received text is collected before it is stored. */
const WRITE_EVERY_MS = 400;
/** Without new text, the state is stored again at this interval, so that readers know that the process is alive. */
export const NEWS_EVERY_MS = 5_000;
/** Beyond this length, a reply is still sent to the client, but no longer stored. */
const MAX_CHARACTERS = 8_000_000;
const MAX_TRIES = 5;

/** Stores a call's reply in parts as it arrives, and goes on with the call after its client has disconnected. */
export class KeptAnswer {
  readonly #stopping = new AbortController();
  readonly #ending = new AbortController();
  #isShutDown = false;
  #head: ReplyHead | null = null;
  #waiting = "";
  #kept = 0;
  #number = 0;
  #writtenAtMs: number;
  /** Resolves once the end of the reply is stored. */
  readonly over: Promise<void>;

  constructor(private readonly options: KeptAnswerOptions) {
    this.#writtenAtMs = options.nowMs();
    this.over = this.#writeUntilEnd();
  }

  /** Aborts when the call is canceled. Replaces the client's signal. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Stops the call, including the provider's. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Stops the call because its process ends. A stream of events then ends with an error, since it isn't whole. */
  shutDown(): void {
    this.#isShutDown = !this.signal.aborted;
    this.stop();
  }

  /**
   * Stores a reply.
   * @param shutDownEvent the last event of a stream of events that a shutdown stops.
   * @returns the client's copy, which breaks off if it is read too slowly.
   */
  keep(reply: Response, shutDownEvent = ""): Response {
    this.#head = {
      status: reply.status,
      contentType: reply.headers.get("content-type") ?? "application/json",
      maxTokens: reply.headers.get("x-gatehouse-max-tokens"),
    };
    const copy = new ClientCopy(this.options.patienceMs);
    const finish = (tellClient: () => void) => {
      this.#ending.abort();
      tellClient();
    };
    const isStream = this.#head.contentType.startsWith("text/event-stream");
    this.#read(reply, copy, isStream ? shutDownEvent : "").then(
      () => finish(() => copy.close()),
      (error: unknown) => {
        this.options.logFault(error);
        finish(() => copy.breakOff());
      },
    );
    const headers = new Headers(reply.headers);
    headers.delete("content-length");
    return new Response(copy.body, { status: reply.status, headers });
  }

  /** Stores a refusal, which ends the call. */
  recordRefusal(status: number, text: string): void {
    this.#head = { status, contentType: "application/json", maxTokens: null };
    this.#add(text);
    this.#ending.abort();
  }

  async #read(reply: Response, copy: ClientCopy, shutDownEvent: string): Promise<void> {
    const reader = reply.body?.getReader();
    if (!reader) return;
    const lastEvent = () => (this.#isShutDown ? shutDownEvent : "");
    const stop = () => {
      void reader.cancel().catch(() => {});
      copy.close(Buffer.from(lastEvent()));
    };
    this.signal.addEventListener("abort", stop, { once: true });
    if (this.signal.aborted) stop();
    const decoder = new TextDecoder();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      this.#add(decoder.decode(next.value, { stream: true }));
      await copy.forward(next.value);
    }
    this.#add(lastEvent());
  }

  #add(text: string): void {
    const room = MAX_CHARACTERS - this.#kept;
    this.#waiting += text.slice(0, room);
    this.#kept += Math.min(text.length, room);
  }

  async #writeUntilEnd(): Promise<void> {
    for (let failures = 0; failures < MAX_TRIES; ) {
      await sleep(WRITE_EVERY_MS, undefined, { signal: this.#ending.signal }).catch(() => {});
      const isOver = this.#ending.signal.aborted;
      const wasJustWritten = this.options.nowMs() - this.#writtenAtMs < NEWS_EVERY_MS;
      if (!isOver && this.#waiting === "" && wasJustWritten) continue;
      try {
        await this.#write(!isOver);
        failures = 0;
        if (isOver) return;
      } catch (error) {
        this.options.logFault(error);
        // A part that wasn't stored is retried with the next one. After the end there may be no next one.
        if (isOver) failures++;
        if (isOver) await sleep(WRITE_EVERY_MS);
      }
    }
  }

  async #write(isRunning: boolean): Promise<void> {
    const { answer, nowMs, write } = this.options;
    const text = this.#waiting;
    const part = text === "" ? null : { number: this.#number + 1, text };
    const updatedAtMs = nowMs();
    const isCanceled = await write({ ...answer, head: this.#head, isRunning, updatedAtMs }, part);
    this.#waiting = this.#waiting.slice(text.length);
    this.#writtenAtMs = updatedAtMs;
    if (part) this.#number = part.number;
    if (isCanceled) this.stop();
  }
}
