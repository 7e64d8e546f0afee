import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { ClockAndRandom } from "../../clock";
import {
  type Busy,
  type Callback,
  type CallbackClaims,
  type CallbackTry,
  MAX_CONCURRENT_PER_PROJECT,
  retryDelayMs,
} from "./callback-claims";
import {
  type CallbackReceiver,
  type CallbackReply,
  describeCallbackFailure,
  postSigned,
  readCallbackStatus,
} from "./post-callback";

const MAX_CONCURRENT = 40;
/**
 * A pause while the store fails: without it, a try whose outcome can't be stored would be repeated over and over.
 */
const STORE_DOWN_MS = MINUTE_MS;
/** 410: the receiver wants no further tries. */
const GONE = 410;
const MAX_RETRY_AFTER_MS = DAY_MS;

/**
 * Delivers stored callbacks, and retries each until it is delivered or its tries are used up. A receiver that
 * doesn't reply holds up no other.
 */
export class CallbackSender<Message extends Callback = Callback> {
  readonly #closing = new AbortController();
  /** The deliveries in progress, by message id. */
  readonly #deliveries = new Map<string, { readonly delivery: Promise<void>; readonly message: Message }>();
  #underWay: Promise<void> | null = null;
  #wake = Promise.withResolvers<void>();
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly context: {
      readonly claims: CallbackClaims<Message>;
      /** @throws CallbackTargetFault if nothing may be sent there. */
      readonly findReceiver: (message: Message) => CallbackReceiver;
      readonly runtime: ClockAndRandom;
      readonly logFault: (where: string, error: unknown) => void;
    },
  ) {}

  /** Sends due messages; resolves once all are sent. Never rejects. */
  sendDue(): Promise<void> {
    this.#wake.resolve();
    this.#underWay ??= this.#sendAll().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  /** Aborts the deliveries in progress. They don't count as tries. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#underWay;
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      this.#wake = Promise.withResolvers();
      await this.#begin();
      if (this.#deliveries.size === 0) return;
      const deliveries = [...this.#deliveries.values()].map((one) => one.delivery);
      await Promise.race([...deliveries, this.#wake.promise]);
    }
  }

  /** Starts due deliveries up to the maximum number. */
  async #begin(): Promise<void> {
    const { claims, runtime } = this.context;
    try {
      while (!this.#closing.signal.aborted && runtime.clock.monotonicMs() >= this.#restsUntilMs) {
        if (this.#deliveries.size >= MAX_CONCURRENT) return;
        const due = await claims.claimDue(runtime.clock.nowMs(), MAX_CONCURRENT, this.#busy());
        // A delivery whose outcome can't be stored may have ended meanwhile, and was claimed again.
        if (runtime.clock.monotonicMs() < this.#restsUntilMs) return;
        const startedMessages = due.filter((message) => this.#start(message));
        if (startedMessages.length === 0) return;
      }
    } catch (error) {
      this.#pauseDelivery(error);
    }
  }

  #busy(): Busy {
    const messages = [...this.#deliveries.values()].map(({ message }) => message);
    const receivers = messages.flatMap(({ receiver }) => receiver ?? []);
    const projects = messages.flatMap(({ projectId }) => projectId ?? []);
    return { receivers, projects: [...new Set(projects)].filter((id) => this.#isFull(id)) };
  }

  #isFull(projectId: string | undefined): boolean {
    if (projectId === undefined) return false;
    const own = [...this.#deliveries.values()].filter(({ message }) => message.projectId === projectId);
    return own.length >= MAX_CONCURRENT_PER_PROJECT;
  }

  /**
   * @returns false if the message is already being sent, or no slot is free. A claimed message stays due and is
   * retried.
   */
  #start(message: Message): boolean {
    const { id, projectId } = message;
    if (this.#deliveries.size >= MAX_CONCURRENT || this.#deliveries.has(id) || this.#isFull(projectId))
      return false;
    const delivery = this.#try(message)
      .catch((error: unknown) => this.#pauseDelivery(error))
      .finally(() => this.#deliveries.delete(id));
    this.#deliveries.set(id, { delivery, message });
    return true;
  }

  #pauseDelivery(error: unknown): void {
    this.#restsUntilMs = this.context.runtime.clock.monotonicMs() + STORE_DOWN_MS;
    this.context.logFault("callbacks", error);
  }

  async #try(message: Message): Promise<void> {
    const { claims, findReceiver, runtime, logFault } = this.context;
    const startedAtMs = runtime.clock.monotonicMs();
    const signedContent = { id: message.id, body: message.body, atMs: runtime.clock.nowMs() };
    const reply = await postSigned(() => findReceiver(message), signedContent, this.#closing.signal);
    const failure = describeCallbackFailure(reply);
    if (this.#closing.signal.aborted && failure !== null) return;
    const [tries, triedAtMs] = [message.tries + 1, runtime.clock.nowMs()];
    const delayMs = failure === null ? null : this.#delayMs(reply, tries, triedAtMs);
    const status = failure === null ? "delivered" : delayMs === null ? "exhausted" : "pending";
    const outcome: CallbackTry = {
      status,
      tries,
      triedAtMs,
      tookMs: Math.round(runtime.clock.monotonicMs() - startedAtMs),
      httpStatus: readCallbackStatus(reply),
      dueAtMs: delayMs === null ? null : triedAtMs + delayMs,
      failure,
    };
    const isSaved = await claims.save(message.id, outcome);
    if (isSaved && status === "exhausted") {
      logFault("callbacks", new Error(`${message.id} was given up after ${tries} tries: ${failure}`));
    }
  }

  /**
   * The delay until the next try; null if there is none because the schedule has ended or the receiver is gone.
   */
  #delayMs(reply: CallbackReply | string, tries: number, nowMs: number): number | null {
    const retryMs = retryDelayMs(tries, this.context.runtime.random);
    if (retryMs === null || typeof reply === "string") return retryMs;
    if (reply.status === GONE) return null;
    return Math.max(retryMs, readRetryAfter(reply.retryAfter, nowMs));
  }
}

/** How long a receiver asks the sender to wait, from its `Retry-After` header (seconds or a date); 0 without one. */
function readRetryAfter(header: string | null, nowMs: number): number {
  if (header === null) return 0;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : 0;
}

/** Sends due callbacks every `everyMs` until it is closed. `isAlone` if no other process runs. */
export function runCallbackSender<Message extends Callback>(
  options: ConstructorParameters<typeof CallbackSender<Message>>[0],
  { everyMs, isAlone }: { readonly everyMs: number; readonly isAlone: boolean },
): { close(): Promise<void> } {
  const sender = new CallbackSender(options);
  const { claims, logFault } = options;
  // The folder is locked, so the claims of a process that died are free at once.
  if (isAlone) claims.releaseOthers().catch((error: unknown) => logFault("callbacks", error));
  const timer = setInterval(() => void sender.sendDue(), everyMs);
  timer.unref();
  return {
    close() {
      clearInterval(timer);
      return sender.close();
    },
  };
}
