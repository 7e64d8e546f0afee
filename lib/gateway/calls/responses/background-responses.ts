import {
  type ChangeContext,
  type ChangeRequest,
  change,
  systemChange,
  type Work,
  type Write,
} from "../../changes/change";
import type { Transaction } from "../../changes/transactions.sql";
import { type Clock, toUnixSeconds } from "../../clock";
import { internalError, respondWithJson, StreamedResponse } from "../../http/response";
import { IDEMPOTENCY_MS, idempotencyConflict } from "../../idempotency/idempotency";
import type {
  BackgroundResponseStore,
  RepeatKey,
  ResponsePart,
  ResponseUnderWay,
} from "../../log/responses/background-response-store.sql";
import type { ResponseStore, StoredItem, StoredResponse } from "../../log/responses/response-store.sql";
import { BackgroundAnswer } from "../../prompts/conversations/background-answers";
import { invalid, Refusal, retryAfter } from "../../refusal";
import { readCallbackUrl } from "../../tasks/callbacks/post-callback";
import type { IncomingCall } from "../requests/incoming-call";
import type { CompletionRequest } from "../requests/prepared-request";
import { BackgroundEvents, type EndedResponse } from "./follow-response";
import { toResponseId, toStem } from "./response-events";
import { type BackgroundTurn, type Turn, toStoredItems } from "./turn";

type Call = IncomingCall<CompletionRequest>;

interface BackgroundContext extends ChangeContext {
  readonly responseStore: Pick<ResponseStore, "find">;
  readonly backgroundResponseStore: BackgroundResponseStore;
}

interface BackgroundOptions {
  /** The name of this process, and whether no other one runs on the store. */
  readonly owner: string;
  readonly isAlone: boolean;
  readonly clock: Clock;
  /** Hosts of callbacks that may be at private addresses. */
  readonly callbackHosts: readonly string[];
  /** The responses of a project that may go on at the same time; absent for the usual number. */
  readonly maxUnderWay?: number;
  logFault(where: string, error: unknown): void;
}

const MAX_UNDER_WAY = 100;
/** How long events are collected before they are stored. */
const WRITE_EVERY_MS = 1_000;

const STOPPED = {
  code: "server_error",
  message:
    "The gateway that worked on this response stopped before its end. What had come until then is charged. Send the request again.",
};

/** The responses of this process that go on when their clients leave. */
export class BackgroundResponses {
  /** By their ids; null for one whose call is yet to be let in. */
  readonly #running = new Map<string, BackgroundAnswer | null>();
  readonly #writes: GroupedWrites;

  constructor(
    private readonly context: BackgroundContext,
    private readonly options: BackgroundOptions,
  ) {
    this.#writes = new GroupedWrites((work) => systemChange(context, "response", work));
  }

  /**
   * Answers as soon as a call is let in and held, and goes on with it.
   * @param repeat answers a request that came before with its key.
   * @throws Refusal as the call until then, and 429 where the project has too many responses under way.
   */
  async answer(
    incoming: Call,
    turn: Turn & { readonly background: BackgroundTurn },
    call: (incoming: Call) => Promise<Response>,
    repeat: (id: string) => Promise<Response>,
  ): Promise<Response> {
    const { requestContext, idempotency } = incoming;
    if (!requestContext.answerEarly)
      throw invalid("background", "This call is answered where its answer is kept. Leave background out.");
    const { callbackUrl: address } = turn.background;
    const callbackUrl = address === null ? null : readCallbackUrl(address, this.options.callbackHosts).url;
    const stored = this.#describe(incoming, turn);
    const { id } = stored;
    const key = idempotency && {
      key: `${idempotency.scope} ${idempotency.key}`,
      bodyHash: idempotency.bodyHash,
    };
    this.#running.set(id, null);
    const repeated = await this.#insert(stored, key, callbackUrl).catch((error: unknown) => {
      this.#running.delete(id);
      throw error;
    });
    if (repeated !== null) {
      this.#running.delete(id);
      if (repeated instanceof Refusal) throw repeated;
      return repeat(repeated);
    }
    const admitted = Promise.withResolvers<void>();
    // Its row knows repeats, so that the call itself has no key, with which it couldn't be stopped.
    const calling = Promise.withResolvers<Response>();
    const noteAdmitted = () => {
      const copy = this.#goOn(incoming, stored, calling.promise);
      const headers = { "x-request-id": requestContext.requestId };
      if (!turn.background.isStreamed) void copy.body?.cancel();
      const reply = turn.background.isStreamed ? copy : respondWithJson(stored.response, { headers });
      requestContext.answerEarly?.(reply);
      admitted.resolve();
    };
    call({ ...incoming, idempotency: null, noteAdmitted }).then(calling.resolve, calling.reject);
    try {
      await Promise.race([admitted.promise, calling.promise]);
    } catch (error) {
      this.#running.delete(id);
      await this.#forget(id);
      throw error;
    }
    return calling.promise;
  }

  /** Writes a response's items together with the waiting ones of other responses. */
  write<Result>(work: Work<Result>): Promise<Result> {
    return this.#writes.write(work);
  }

  /** Stores the whole response of a call. @returns false where it was cancelled before. */
  settle(transaction: Transaction, stored: StoredResponse): Promise<boolean> {
    const { status } = stored.response as EndedResponse;
    return this.#store.settle(transaction, stored, { owner: this.options.owner, status }, this.#nowMs);
  }

  /**
   * Cancels a response and stops its provider. One that has ended stays as it is.
   * @param find finds the response if the caller may cancel it. It is called within the transaction, too.
   * @throws Refusal 400 for one that wasn't begun in the background.
   */
  async cancel(request: ChangeRequest, find: () => Promise<StoredResponse>): Promise<StoredResponse> {
    const { id, background } = await find();
    if (!background)
      throw invalid(
        "response_id",
        "Only a response of the background can be cancelled: this one was awaited.",
      );
    if (background.status !== "queued" && background.status !== "in_progress") return find();
    await change(this.context, request, async (transaction) =>
      this.#store.cancel(transaction, await find(), this.#nowMs),
    );
    const running = this.#running.get(id);
    running?.stop();
    await running?.over;
    return find();
  }

  /** Stops what others have cancelled. */
  async sweep(): Promise<void> {
    if (this.#running.size === 0) return;
    for (const { id, owner, status } of await this.#store.listUnderWay())
      if (owner === this.options.owner && status === "cancelled") this.#running.get(id)?.stop();
  }

  /** Ends responses whose process is gone, which the ledger has charged for what came. */
  async takeOver(): Promise<void> {
    const { owner: own, isAlone } = this.options;
    const isLost = ({ id, owner, isOwned }: ResponseUnderWay) =>
      owner === own ? !this.#running.has(id) : isAlone || !isOwned;
    for (const { id, owner } of (await this.#store.listUnderWay()).filter(isLost)) {
      const stored = await this.context.responseStore.find(id);
      await systemChange(this.context, "response", async (transaction) => {
        const status = "failed";
        const response = { ...stored?.response, status, error: STOPPED };
        if (stored)
          await this.#store.settle(transaction, { ...stored, response }, { owner, status }, this.#nowMs);
        await this.#store.end(transaction, id, owner);
      });
    }
  }

  /** Resolves once none goes on. */
  async ended(): Promise<void> {
    for (let running = this.#listRunning(); running.length > 0; running = this.#listRunning())
      await Promise.all(running.map(({ over }) => over));
  }

  /** Stops the calls of this process, and waits until what came of them is stored. */
  async close(): Promise<void> {
    for (const running of this.#listRunning()) running.shutDown();
    await this.ended();
  }

  #listRunning(): BackgroundAnswer[] {
    return [...this.#running.values()].filter((running) => running !== null);
  }

  get #nowMs(): number {
    return this.options.clock.nowMs();
  }

  get #store(): BackgroundResponseStore {
    return this.context.backgroundResponseStore;
  }

  #describe(
    { projectId, request, requestContext }: Call,
    turn: Turn & { background: BackgroundTurn },
  ): StoredResponse {
    const { requestId } = requestContext;
    const id = toResponseId(requestId);
    const createdAtMs = this.options.clock.nowMs();
    const response = {
      id,
      object: "response",
      created_at: toUnixSeconds(createdAtMs),
      status: "queued",
      completed_at: null,
      error: null,
      incomplete_details: null,
      ...turn.background.asked,
      store: true,
      background: true,
      output: [],
      usage: null,
    };
    const input = toStoredItems(JSON.parse(turn.input ?? "[]"), toStem(requestId));
    const { model } = request.fields;
    const { previousId } = turn;
    return { id, projectId, createdAtMs, model, previousId, input, output: [], response };
  }

  /** @returns the id of the response that has the key, or why it isn't begun. */
  #insert(
    stored: StoredResponse,
    repeat: RepeatKey | null,
    callbackUrl: URL | null,
  ): Promise<string | Refusal | null> {
    const { owner, maxUnderWay = MAX_UNDER_WAY } = this.options;
    return this.#writes.write(async (transaction) => {
      const sinceMs = stored.createdAtMs - IDEMPOTENCY_MS;
      const known = repeat && (await this.#store.findRepeated(transaction, repeat.key, sinceMs));
      if (known && known.bodyHash !== repeat.bodyHash) return idempotencyConflict();
      if (known) return known.id;
      if ((await this.#store.countUnderWay(transaction, stored.projectId)) >= maxUnderWay)
        return tooMany(maxUnderWay);
      await this.#store.insert(transaction, { stored, owner, repeat, callbackUrl });
      return null;
    });
  }

  /** Goes on with a call that has its hold. @returns its client's copy of the events. */
  #goOn({ requestContext, caller }: Call, stored: StoredResponse, reply: Promise<Response>): Response {
    const { id } = stored;
    const { requestId } = requestContext;
    const explain = (error: unknown) => {
      const refusal = error instanceof Refusal ? error : internalError(requestId);
      if (refusal !== error) this.options.logFault(requestId, error);
      const { code, message } = refusal.asSeenBy(caller.permissionsIn).body(requestId).error;
      return { code: code ?? "server_error", message };
    };
    const events = new BackgroundEvents(stored.response, reply, explain);
    const answer = new BackgroundAnswer({
      nowMs: () => this.options.clock.nowMs(),
      writeEveryMs: WRITE_EVERY_MS,
      write: async ({ isRunning }, part) => {
        if (!isRunning) events.end("failed", STOPPED);
        if (part || !isRunning) await this.#keep(stored, part, isRunning ? null : events.ended);
        return false;
      },
      logFault: (error) => this.options.logFault(requestId, error),
    });
    this.#running.set(id, answer);
    const forget = () => this.#running.delete(id);
    void answer.over.then(forget, forget);
    requestContext.outliveClient?.(answer.signal);
    const headers = {
      "x-request-id": requestId,
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
    };
    return answer.store(new StreamedResponse(events, { headers }), () =>
      answer.isShutDown ? events.end("failed", STOPPED) : events.end("cancelled", null),
    );
  }

  /** Stores a part of the events, and with the last one what the response has come to. */
  #keep(stored: StoredResponse, part: ResponsePart | null, ended: EndedResponse | null): Promise<void> {
    const { owner } = this.options;
    return this.#writes.write(async (transaction) => {
      if (part) await this.#store.addPart(transaction, stored.id, owner, part);
      if (!ended) return;
      const output = (Array.isArray(ended.output) ? ended.output : []) as StoredItem[];
      const { status } = ended;
      const settled = { ...stored, response: ended, output };
      await this.#store.settle(transaction, settled, { owner, status }, this.#nowMs);
      await this.#store.end(transaction, stored.id, owner);
    });
  }

  /** Deletes a response whose call was refused. If that fails now, the response ends as failed later. */
  #forget(id: string): Promise<void> {
    const forget = (transaction: Transaction) => this.#store.forget(transaction, id, this.options.owner);
    return this.#writes.write(forget).catch((error: unknown) => this.options.logFault(id, error));
  }
}

/** Writes what has come together since the last write as one change, so that many responses wait for the disk once. */
class GroupedWrites {
  #waiting: ((transaction: Transaction | null) => Promise<() => void>)[] = [];
  #isWriting = false;

  constructor(private readonly writeChange: Write) {}

  async write<Result>(work: Work<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push(async (transaction) => {
      if (!transaction) return () => void this.writeChange(work).then(resolve, reject);
      const result = await work(transaction);
      return () => resolve(result);
    });
    if (!this.#isWriting) void this.#writeAll();
    return promise;
  }

  /** If a batch fails, its parts are written one by one, so that only the faulty one fails. */
  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const works = this.#waiting;
      this.#waiting = [];
      const write = async (transaction: Transaction | null) => {
        const ends: (() => void)[] = [];
        for (const work of works) ends.push(await work(transaction));
        return ends;
      };
      const ends = await this.writeChange(write).catch(() => write(null));
      for (const end of ends) end();
    }
    this.#isWriting = false;
  }
}

function tooMany(max: number): Refusal {
  const message = `The project has ${max} responses under way in the background, the most there may be. Wait until one has ended, or cancel one.`;
  return new Refusal(429, "rate_limit_error", "concurrency", message, { headers: retryAfter(1) });
}
