import { MINUTE_MS } from "@/lib/contract/durations";
import { WorkerClient } from "../../http/worker-client";
import type { Encoding } from "./find-encoding";
import type { TokenQuestion } from "./token-thread";

/** Loading a tokenizer takes a fifth of a second, and several times that on a busy machine. */
const TIMEOUT_MS = 5_000;
/** No call waits longer, whatever others have asked for before it. */
const WAIT_MS = 2_000;
/** How long nothing is counted after one text took too long. */
const PENALTY_MS = MINUTE_MS;
/** A longer text isn't counted: the time would be felt. */
const MAX_LENGTH = 32_768;
const MAX_WAITING = 1_000;
/** The thread needs about 130 MB, so it ends when nothing was counted for a while. */
const IDLE_MS = 5 * MINUTE_MS;

class TooSlow extends Error {
  override readonly name = "TooSlow";
}

/** Counts tokens with a model's own tokenizer, on a thread that starts with the first question. */
export class TokenCounter {
  readonly #thread: WorkerClient<TokenQuestion, number>;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #isPaused = false;

  constructor(
    logFault: (reason: string) => void,
    start = () => new Worker(new URL("./token-thread.ts", import.meta.url)),
    private readonly patience = { timeoutMs: TIMEOUT_MS, waitMs: WAIT_MS },
  ) {
    const { timeoutMs } = patience;
    this.#thread = new WorkerClient({
      start,
      timeoutMs,
      listTransfers: () => [],
      standsAlone: () => true,
      createLossError: () => new Error("The thread that counts tokens ended"),
      createCostError: () => new TooSlow(`Counting tokens took longer than ${timeoutMs} ms`),
      logFault,
    });
  }

  /** @returns null where it isn't known in time. */
  async count(encoding: Encoding, texts: readonly string[]): Promise<number | null> {
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (this.#isPaused || length > MAX_LENGTH || this.#thread.waiting >= MAX_WAITING) return null;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.#thread.close(), IDLE_MS);
    this.#idleTimer.unref();
    const { promise: tooLate, resolve } = Promise.withResolvers<null>();
    const waitTimer = setTimeout(() => resolve(null), this.patience.waitMs);
    try {
      return await Promise.race([this.#thread.ask({ encoding, texts }), tooLate]);
    } catch (error) {
      if (error instanceof TooSlow) this.#pause();
      return null;
    } finally {
      clearTimeout(waitTimer);
    }
  }

  /** The questions that wait are given up with it. */
  #pause(): void {
    this.#isPaused = true;
    this.#thread.close();
    setTimeout(() => {
      this.#isPaused = false;
    }, PENALTY_MS).unref();
  }

  close(): void {
    clearTimeout(this.#idleTimer);
    this.#thread.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
