import { SECOND_MS } from "@/lib/contract/durations";
import { type Batch, type BatchWait, batchWaits } from "@/lib/contract/operations/tasks/batches";
import type { Refusal } from "../refusal";

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
