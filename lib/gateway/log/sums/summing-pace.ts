import { SUMMING_BATCH_SIZE } from "./sum-calls.sql";

/** The least pause between two steps while calls arrive, and while none do. */
const LEAST_REST_MS = { busy: 25, calm: 10 };
/** Calls per step while none arrive. */
const CALM_BATCH_SIZE = 1_000;

interface PaceOptions {
  /** Returns the time on a monotonic clock. */
  nowMs(): number;
  wait(ms: number): Promise<void>;
  /** The number of the ledger's last entry. */
  readLastSeq(): Promise<number>;
}

/**
 * Paces the steps of summing, each of which locks the store, so that the ledger's writer gets its turns between them.
 */
export class SummingPace {
  #isCalm = false;
  #resumedAtMs: number;

  /** Create it when the first step begins, with the number of the last entry then. */
  constructor(
    private readonly runtime: PaceOptions,
    private lastSeq: number,
  ) {
    this.#resumedAtMs = runtime.nowMs();
  }

  /** The number of calls in the next step. */
  get batchSize(): number {
    return this.#isCalm ? CALM_BATCH_SIZE : SUMMING_BATCH_SIZE;
  }

  /**
   * Call it after each step. Rests at least as long as the step held the lock: the ledger's writer tries again only now
   * and then, and would miss short gaps. While it waits it writes nothing, which looks calm.
   */
  async rest(): Promise<void> {
    const { runtime } = this;
    const tookMs = runtime.nowMs() - this.#resumedAtMs;
    await runtime.wait(Math.max(LEAST_REST_MS[this.#isCalm ? "calm" : "busy"], tookMs));
    this.#resumedAtMs = runtime.nowMs();
    const seq = await runtime.readLastSeq();
    this.#isCalm = seq === this.lastSeq;
    this.lastSeq = seq;
  }
}
