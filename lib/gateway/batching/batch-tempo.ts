import { type Batch, type BatchWait, batchWaits } from "@/lib/contract/operations/batches";
import type { Refusal } from "../refusal";

const SECOND_MS = 1_000;
const SECONDS = 60;
/** Longer than the time between two looks of a line that waits. */
const WAIT_SHOWN_MS = 1_500;

/** How many of a batch's lines this process answered in the last minute, and what its lines wait for. */
export class BatchTempo {
  /** Lines answered by second. */
  readonly #answered = new Map<number, number>();
  /** When a line last waited for each. */
  readonly #waits = new Map<BatchWait, number>();

  /** @param now in milliseconds, on a monotonic clock. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  answered(): void {
    const second = this.#second();
    this.#answered.set(second, (this.#answered.get(second) ?? 0) + 1);
    for (const old of this.#answered.keys()) if (old <= second - SECONDS) this.#answered.delete(old);
  }

  waits(reason: BatchWait): void {
    this.#waits.set(reason, this.now());
  }

  /** Where lines wait for several things, the one that lasts longest: limits before live calls. */
  describe(): NonNullable<Batch["pace"]> {
    const [nowMs, second] = [this.now(), this.#second()];
    const isPresent = (reason: BatchWait) =>
      nowMs - (this.#waits.get(reason) ?? Number.NEGATIVE_INFINITY) < WAIT_SHOWN_MS;
    let lines = 0;
    for (const [at, answered] of this.#answered) if (at > second - SECONDS) lines += answered;
    return { lines_per_minute: lines, waits_for: longestFirst.find(isPresent) ?? null };
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

/** What a line waits for that was refused for now. */
export function waitFor({ code }: Refusal): BatchWait {
  if (code === "insufficient_balance") return "balance";
  return batchWaits.find((reason) => reason === code) ?? "provider";
}
