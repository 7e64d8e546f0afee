import { SECOND_MS } from "@/lib/contract/durations";
import { type Batch, type BatchWait, batchWaits } from "@/lib/contract/operations/tasks/batches";
import { WORK_SURE_MS } from "../claim-times";
import type { Clock } from "../clock";
import type { Refusal } from "../refusal";
import type { BatchClaims, BatchProgress } from "./batch-store.sql";

/**
 * A process's lease of a batch, which its claim in the store backs. While it is sure, no other process can have taken
 * the batch over. A process that was paused for too long asks the store before it goes on.
 */
export class BatchLease {
  #isLost = false;
  #renewing: Promise<void> | null = null;
  #sureUntil: { readonly nowMs: number; readonly monotonicMs: number };

  /** Create it before the claim is made. */
  constructor(
    private readonly claims: Pick<BatchClaims, "renew" | "save">,
    private readonly clock: Clock,
    /** Whether its process is known to others as running. */
    private readonly ownsLease: () => boolean,
  ) {
    this.#sureUntil = this.#soon();
  }

  /** Whether another process has taken the batch over. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Resolves to false once another process has taken the batch over. */
  async isHeld(batchId: string): Promise<boolean> {
    while (!this.#isLost && !this.#isSure()) await this.renew(batchId);
    return !this.#isLost;
  }

  renew(batchId: string): Promise<void> {
    this.#renewing ??= this.#extend((nowMs) => this.claims.renew(batchId, nowMs)).finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  /** Stores progress. @returns false, with nothing stored, if another process has taken the batch over. */
  async save(batchId: string, progress: BatchProgress): Promise<boolean> {
    await this.#extend((nowMs) => this.claims.save(batchId, progress, nowMs));
    return !this.#isLost;
  }

  async #extend(store: (nowMs: number) => Promise<boolean>): Promise<void> {
    const sureUntil = this.#soon();
    if (await store(this.clock.nowMs())) this.#sureUntil = sureUntil;
    else this.#isLost = true;
  }

  /** Asks both clocks: one stands still while a machine sleeps, and the other may be set back. */
  #isSure(): boolean {
    const { nowMs, monotonicMs } = this.#sureUntil;
    return this.ownsLease() && this.clock.nowMs() < nowMs && this.clock.monotonicMs() < monotonicMs;
  }

  #soon() {
    return { nowMs: this.clock.nowMs() + WORK_SURE_MS, monotonicMs: this.clock.monotonicMs() + WORK_SURE_MS };
  }
}

const SECONDS = 60;
/** A waiting line checks again before this is over. */
const WAIT_SHOWN_MS = 1_500;

/** Counts the lines of a batch that this process answered in the last minute, and records what its lines wait for. */
export class BatchPace {
  /** The number of lines answered in each second. */
  readonly #answersPerSecond = new Map<number, number>();
  /** When a line last waited for each reason. */
  readonly #waits = new Map<BatchWait, number>();

  /** @param now in milliseconds, on a monotonic clock. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Continues with the lines that another process answered in the minute before `ageMs` ago. */
  resume(lines: number, ageMs: number): void {
    const second = Math.floor((this.now() - ageMs) / SECOND_MS);
    if (lines > 0 && second > this.#second() - SECONDS) this.#answersPerSecond.set(second, lines);
  }

  countAnswer(): void {
    const second = this.#second();
    this.#answersPerSecond.set(second, (this.#answersPerSecond.get(second) ?? 0) + 1);
    for (const old of this.#answersPerSecond.keys())
      if (old <= second - SECONDS) this.#answersPerSecond.delete(old);
  }

  waits(reason: BatchWait): void {
    this.#waits.set(reason, this.now());
  }

  /** If lines wait for several reasons, returns the longest-lasting reason: a limit comes before live calls. */
  describe(): NonNullable<Batch["pace"]> {
    const [nowMs, second] = [this.now(), this.#second()];
    const isPresent = (reason: BatchWait) =>
      nowMs - (this.#waits.get(reason) ?? Number.NEGATIVE_INFINITY) < WAIT_SHOWN_MS;
    let lines = 0;
    for (const [at, answerCount] of this.#answersPerSecond) if (at > second - SECONDS) lines += answerCount;
    return { lines_per_minute: lines, waits_for: longestFirst.find(isPresent) ?? null };
  }

  /** Whether lines stand still. Live calls alone only slow them down. */
  isWaiting(): boolean {
    const { waits_for: reason } = this.describe();
    return reason !== null && reason !== "live_calls";
  }

  #second(): number {
    return Math.floor(this.now() / SECOND_MS);
  }
}

const longestFirst: readonly BatchWait[] = [
  "balance",
  "spend_limit",
  ...batchWaits.filter((reason) => !["balance", "spend_limit", "provider", "live_calls"].includes(reason)),
  "provider",
  "live_calls",
];

/** Returns the wait reason for a line that was temporarily refused. */
export function waitFor({ code }: Refusal): BatchWait {
  if (code === "insufficient_balance") return "balance";
  return batchWaits.find((reason) => reason === code) ?? "provider";
}
