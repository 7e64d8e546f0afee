import type { Database as Sqlite } from "bun:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { HOUR_MS } from "@/lib/contract/durations";
import { isBusy } from "../log/sums/sum-calls.sql";
import type { LimitPeak } from "./limit-usage";
import { foldRefusals, pruneLimitUsage, savePeaks } from "./stored-limit-usage.sql";

/** Peaks per transaction: a millisecond or two, during which the ledger's writer waits. */
const BATCH_SIZE = 200;
const TRIES_AT_END = 20;
const REST_MS = 25;

/** Writes peaks and folds refusals in small batches; while another connection writes, they wait for the next time. */
export class LimitUsageWriter {
  /** The highest peak of each limit and hour that is not stored yet. */
  readonly #waiting = new Map<string, { atMs: number; peak: LimitPeak }>();
  #forgotAtMs = 0;

  constructor(
    private readonly sqlite: Sqlite,
    private readonly report: (error: unknown) => void,
  ) {}

  add(atMs: number, peaks: readonly LimitPeak[]): void {
    for (const peak of peaks) {
      const key = `${Math.floor(atMs / HOUR_MS)} ${peak.projectId} ${peak.field} ${peak.model}`;
      const existing = this.#waiting.get(key);
      if (!existing || existing.peak.peak < peak.peak) this.#waiting.set(key, { atMs, peak });
    }
    this.#writePeaks();
  }

  /** Writes what is queued. */
  write(nowMs: number): void {
    if (!this.#writePeaks()) return;
    this.#run(() => foldRefusals(this.sqlite, nowMs));
    if (nowMs - this.#forgotAtMs < HOUR_MS) return;
    if (this.#run(() => pruneLimitUsage(this.sqlite, nowMs))) this.#forgotAtMs = nowMs;
  }

  /** Tries for half a second to write what is queued. */
  async end(): Promise<void> {
    for (let tries = 0; !this.#writePeaks() && tries < TRIES_AT_END; tries++) await sleep(REST_MS);
  }

  /** @returns whether the queue is empty. */
  #writePeaks(): boolean {
    const waitingPeaks = [...this.#waiting];
    for (let from = 0; from < waitingPeaks.length; from += BATCH_SIZE) {
      const part = waitingPeaks.slice(from, from + BATCH_SIZE);
      const writtenPeaks = part.map(([, entry]) => entry);
      if (!this.#run(() => savePeaks(this.sqlite, writtenPeaks))) return false;
      for (const [key] of part) this.#waiting.delete(key);
    }
    return true;
  }

  #run(work: () => unknown): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (!isBusy(error)) this.report(error);
      return false;
    }
  }
}
