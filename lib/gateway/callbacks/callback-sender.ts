import type { Effects } from "../effects";
import type { Secret } from "../secrets/secret";
import type { Callback, CallbackClaims, CallbackTry } from "./callback-claims";
import type { PostCallback } from "./post-callback";
import { retryDelayMs } from "./retry-delay";
import { signCallback } from "./sign-callback";

const SENT_AT_ONCE = 20;
/** A pause while the store fails: without it, an attempt whose outcome can't be stored would be repeated over and over. */
const STORE_DOWN_MS = 60_000;

/** Delivers stored callbacks, and retries each until it is delivered or its attempts are used up. */
export class CallbackSender {
  readonly #closing = new AbortController();
  #underWay: Promise<void> | null = null;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly context: {
      readonly claims: CallbackClaims;
      readonly post: PostCallback;
      readonly secret: Secret;
      readonly effects: Effects;
      readonly logFault: (where: string, error: unknown) => void;
    },
  ) {}

  /** Sends what is due; resolves once each was tried. Never rejects. Does nothing while an earlier run is in progress. */
  sendDue(): Promise<void> {
    this.#underWay ??= this.#sendAll()
      .catch((error: unknown) => {
        this.#restsUntilMs = this.context.effects.clock.monotonicMs() + STORE_DOWN_MS;
        this.context.logFault("callbacks", error);
      })
      .finally(() => {
        this.#underWay = null;
      });
    return this.#underWay;
  }

  /** Aborts what is being sent; it does not count as tried. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#underWay;
  }

  async #sendAll(): Promise<void> {
    const { claims, effects } = this.context;
    if (effects.clock.monotonicMs() < this.#restsUntilMs) return;
    while (!this.#closing.signal.aborted) {
      const due = await claims.claimDue(effects.clock.nowMs(), SENT_AT_ONCE);
      if (due.length === 0) return;
      await Promise.all(due.map((callback) => this.#try(callback)));
    }
  }

  async #try(callback: Callback): Promise<void> {
    const { claims, effects, logFault } = this.context;
    const failure = await this.#send(callback);
    if (this.#closing.signal.aborted && failure !== null) return;
    const [tries, triedAtMs] = [callback.tries + 1, effects.clock.nowMs()];
    const delayMs = failure === null ? null : retryDelayMs(tries, effects.random);
    const status = failure === null ? "delivered" : delayMs === null ? "exhausted" : "pending";
    const dueAtMs = delayMs === null ? null : triedAtMs + delayMs;
    const outcome: CallbackTry = { status, tries, triedAtMs, dueAtMs, failure };
    const isSaved = await claims.save(callback.id, outcome);
    if (isSaved && status === "exhausted") {
      logFault("callbacks", new Error(`${callback.id} was given up after ${tries} tries: ${failure}`));
    }
  }

  /** Null where it was delivered; otherwise why not. */
  async #send({ id, body }: Callback): Promise<string | null> {
    const { post, secret, effects } = this.context;
    const headers = signCallback(secret, { id, body, atMs: effects.clock.nowMs() });
    try {
      const status = await post({ headers, body }, this.#closing.signal);
      return status >= 200 && status < 300 ? null : `The receiver answered ${status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
