import { setTimeout as sleep } from "node:timers/promises";
import { KEEP_ANSWER_HEADER } from "@/lib/contract/operations/playground/conversations";
import { type ChangeContext, type ChangeRequest, change, systemChange } from "../../changes/change";
import type { Clock } from "../../clock";
import { passOn, StreamedResponse } from "../../http/response";
import { invalid, notFound } from "../../refusal";
import type {
  BackgroundAnswerName,
  BackgroundAnswerPart,
  BackgroundAnswerRecord,
  BackgroundAnswerStore,
  ReplyHead,
} from "./background-answer-store.sql";
import type { ConversationStore } from "./conversation-store.sql";

interface BackgroundAnswerContext extends ChangeContext {
  readonly backgroundAnswerStore: BackgroundAnswerStore;
  readonly conversations: Pick<ConversationStore, "find">;
}

const NAME = /^(conv_[0-9a-z]{8,40})\/([\w-]{1,40})$/;

/** The calls of this process that continue when their clients disconnect. */
export class BackgroundAnswers {
  readonly #running = new Map<string, BackgroundAnswer>();

  constructor(
    private readonly context: BackgroundAnswerContext,
    private readonly options: { readonly clock: Clock; logFault(where: string, error: unknown): void },
  ) {}

  /**
   * Starts storing the reply of a call.
   * @throws Refusal 400 for a name that is invalid or already used; 404 for another owner's conversation.
   */
  async begin(header: string, ownerId: string, requestId: string): Promise<BackgroundAnswer> {
    const [, conversationId, answerId] = NAME.exec(header) ?? [];
    if (!conversationId || !answerId) {
      throw invalid(
        KEEP_ANSWER_HEADER,
        "The header must be a conversation and an answer, such as conv_…/answer-id.",
      );
    }
    const { backgroundAnswerStore, conversations } = this.context;
    const answer: BackgroundAnswerRecord = {
      conversationId,
      answerId,
      ownerId,
      requestId,
      head: null,
      isRunning: true,
      isCanceled: false,
      updatedAtMs: this.options.clock.nowMs(),
    };
    await systemChange(this.context, "background answer", async (transaction) => {
      const conversation = await conversations.find(conversationId);
      if (conversation && conversation.ownerId !== ownerId)
        throw notFound("conversation", conversationId, KEEP_ANSWER_HEADER);
      if (await backgroundAnswerStore.find(answer)) {
        throw invalid(KEEP_ANSWER_HEADER, `The answer "${answerId}" exists already. Choose another id.`);
      }
      await backgroundAnswerStore.insert(transaction, answer);
    });
    return this.#follow(answer);
  }

  /** @throws Refusal 404 if the caller has no such call. */
  async cancel(request: ChangeRequest, ownerId: string, name: BackgroundAnswerName): Promise<void> {
    await change(this.context, request, async (transaction) => {
      const answer = await this.context.backgroundAnswerStore.find(name);
      if (answer?.ownerId !== ownerId) throw noSuchBackgroundAnswer(name);
      if (answer.isRunning) await this.context.backgroundAnswerStore.cancel(transaction, name);
    });
    // If the call runs in another process, that process reads the cancellation when it stores the next part.
    this.#running.get(formatAnswerKey(name))?.stop();
  }

  /** Stops the calls of this process, and waits until what came of their replies is stored. */
  async close(): Promise<void> {
    for (const answer of this.#running.values()) answer.shutDown();
    await Promise.all([...this.#running.values()].map(({ over }) => over));
  }

  #follow(answer: BackgroundAnswerRecord): BackgroundAnswer {
    const { backgroundAnswerStore } = this.context;
    const { clock, logFault } = this.options;
    const backgroundAnswer = new BackgroundAnswer({
      nowMs: () => clock.nowMs(),
      write: (state, part) =>
        systemChange(this.context, "background answer", async (transaction) => {
          await backgroundAnswerStore.write(transaction, { ...answer, ...state }, part);
          return (await backgroundAnswerStore.find(answer))?.isCanceled ?? true;
        }),
      logFault: (error) => logFault("background answer", error),
    });
    this.#running.set(formatAnswerKey(answer), backgroundAnswer);
    const forget = () => this.#running.delete(formatAnswerKey(answer));
    void backgroundAnswer.over.then(forget, forget);
    return backgroundAnswer;
  }
}

export function noSuchBackgroundAnswer({ answerId }: BackgroundAnswerName) {
  return notFound("answer", answerId, "answer_id");
}

function formatAnswerKey({ conversationId, answerId }: BackgroundAnswerName): string {
  return `${conversationId}/${answerId}`;
}

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

type AnswerState = Pick<BackgroundAnswerRecord, "head" | "isRunning" | "updatedAtMs">;

interface BackgroundAnswerOptions {
  readonly nowMs: () => number;
  /** Stores the present state and a further part. @returns true if the call was canceled. */
  write(state: AnswerState, part: BackgroundAnswerPart | null): Promise<boolean>;
  logFault(error: unknown): void;
  /** How long received text is collected before it is stored; absent for the usual time. */
  readonly writeEveryMs?: number;
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
export class BackgroundAnswer {
  readonly #stopping = new AbortController();
  readonly #ending = new AbortController();
  #isShutDown = false;
  #head: ReplyHead | null = null;
  #waiting = "";
  #characters = 0;
  #number = 0;
  #writtenAtMs: number;
  /** Resolves once the end of the reply is stored. */
  readonly over: Promise<void>;

  constructor(private readonly options: BackgroundAnswerOptions) {
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

  /** Whether it was stopped because its process ends. */
  get isShutDown(): boolean {
    return this.#isShutDown;
  }

  /** Stops the call because its process ends. */
  shutDown(): void {
    this.#isShutDown = !this.signal.aborted;
    this.stop();
  }

  /**
   * Stores a reply.
   * @param writeStopped writes the last event of a stream of events that is stopped, since it isn't whole.
   * @returns the client's copy, which breaks off if it is read too slowly.
   */
  store(reply: Response, writeStopped: () => string = () => ""): Response {
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
    this.#read(reply, copy, isStream ? writeStopped : () => "").then(
      () => finish(() => copy.close()),
      (error: unknown) => {
        this.options.logFault(error);
        finish(() => copy.breakOff());
      },
    );
    const headers = new Headers(reply.headers);
    headers.delete("content-length");
    const client = passOn(copy.body, () => {}, this.options.logFault);
    return new StreamedResponse(client, { status: reply.status, headers });
  }

  /** Stores a refusal, which ends the call. */
  recordRefusal(status: number, text: string): void {
    this.#head = { status, contentType: "application/json", maxTokens: null };
    this.#add(text);
    this.#ending.abort();
  }

  async #read(reply: Response, copy: ClientCopy, writeStopped: () => string): Promise<void> {
    const reader = reply.body?.getReader();
    if (!reader) return;
    let last = "";
    const stop = () => {
      void reader.cancel().catch(() => {});
      last = writeStopped();
      copy.close(Buffer.from(last));
    };
    this.signal.addEventListener("abort", stop, { once: true });
    if (this.signal.aborted) stop();
    const decoder = new TextDecoder();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      this.#add(decoder.decode(next.value, { stream: true }));
      await copy.forward(next.value);
    }
    this.#add(last);
  }

  #add(text: string): void {
    const room = MAX_CHARACTERS - this.#characters;
    this.#waiting += text.slice(0, room);
    this.#characters += Math.min(text.length, room);
  }

  async #writeUntilEnd(): Promise<void> {
    for (let failures = 0; failures < MAX_TRIES; ) {
      const everyMs = this.options.writeEveryMs ?? WRITE_EVERY_MS;
      await sleep(everyMs, undefined, { signal: this.#ending.signal }).catch(() => {});
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
    const { nowMs, write } = this.options;
    const text = this.#waiting;
    const part = text === "" ? null : { number: this.#number + 1, text };
    const updatedAtMs = nowMs();
    const isCanceled = await write({ head: this.#head, isRunning, updatedAtMs }, part);
    this.#waiting = this.#waiting.slice(text.length);
    this.#writtenAtMs = updatedAtMs;
    if (part) this.#number = part.number;
    if (isCanceled) this.stop();
  }
}
