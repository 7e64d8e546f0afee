import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { WORK_RENEW_MS } from "../claim-times";
import { BatchPace } from "./batch-pace";
import { hasPlace, listFullProjects } from "./batch-places";
import type { BatchClaims, BatchRecord } from "./batch-store";
import { HeldClaim } from "./held-claim";
import { LineThrottle, type ThrottleContext } from "./lines/line-throttle";
import { ResultRoom } from "./result-room";
import { type RunContext, runBatch } from "./run-batch";

const LAST_WAIT_MS = 5_000;
const NOTE_PACE_MS = 10_000;

interface RunnerContext extends Omit<RunContext, "throttle" | "room">, ThrottleContext {
  readonly claims: BatchClaims;
  logFault(where: string, error: unknown): void;
}

/** A batch that this process runs. */
interface UnderWay {
  readonly projectId: string;
  readonly ended: Promise<void>;
  readonly pace: BatchPace;
  readonly claim: HeldClaim;
}

/** Runs the batches that no other process runs, a few at once. */
export class BatchRunner {
  readonly #closing = new AbortController();
  readonly #underWay = new Map<string, UnderWay>();
  readonly #canceledIds = new Set<string>();
  readonly #throttle: LineThrottle;
  readonly #stopTimers: readonly (() => void)[];
  #isClaiming = false;

  constructor(private readonly context: RunnerContext) {
    this.#throttle = new LineThrottle(context);
    this.#stopTimers = [
      context.timers.every(WORK_RENEW_MS, () => void this.#renew()),
      context.timers.every(NOTE_PACE_MS, () => void this.#notePaces()),
    ];
  }

  /** Starts the batches that there is a place for. Never rejects. */
  async work(): Promise<void> {
    if (this.#isClaiming) return;
    this.#isClaiming = true;
    try {
      while (!this.#closing.signal.aborted && (await this.#beginOne()));
    } catch (error) {
      this.context.logFault("batches", error);
    } finally {
      this.#isClaiming = false;
    }
  }

  /** Call it for each live call. */
  noteLiveCall(): void {
    this.#throttle.noteLiveCall();
  }

  /** Null for a batch that this process doesn't run. */
  describePace(id: string): Batch["pace"] {
    return this.#underWay.get(id)?.pace.describe() ?? null;
  }

  /** Stops starting lines of a batch. Call it once the cancellation is stored. */
  cancel(id: string): void {
    if (this.#underWay.has(id)) this.#canceledIds.add(id);
  }

  /** Waits for the lines in progress, but not for slow ones. The next process continues the batches. */
  async close(): Promise<void> {
    for (const stop of this.#stopTimers) stop();
    this.#closing.abort();
    await this.#notePaces();
    await Promise.race([
      Promise.all(Array.from(this.#underWay.values(), ({ ended }) => ended)),
      this.context.timers.wait(LAST_WAIT_MS),
    ]);
  }

  /** @returns false if there is no place, or no batch for it. */
  async #beginOne(): Promise<boolean> {
    const { claims, effects } = this.context;
    const openBatches = [...this.#underWay.values()];
    if (!hasPlace(openBatches.length)) return false;
    const claim = new HeldClaim(claims, effects.clock);
    const fullProjects = listFullProjects(
      openBatches.map(({ projectId, pace }) => ({ projectId, isWaiting: pace.isWaiting() })),
    );
    const request = { limit: 1, underWay: [...this.#underWay.keys()], fullProjects };
    const [batch] = await claims.claim(effects.clock.nowMs(), request);
    if (batch) this.#begin(batch, claim);
    return batch !== undefined;
  }

  #begin(batch: BatchRecord, claim: HeldClaim): void {
    const { signal } = this.#closing;
    const isCanceled = () => this.#canceledIds.has(batch.id);
    const { clock } = this.context.effects;
    const pace = new BatchPace(() => clock.monotonicMs());
    const storedPace = batch.pace;
    if (storedPace) pace.resume(storedPace.linesPerMinute, Math.max(0, clock.nowMs() - storedPace.atMs));
    const context = { ...this.context, throttle: this.#throttle, room: new ResultRoom() };
    const runEnd = runBatch(context, batch, { claim, signal, isCanceled, pace })
      .catch((error: unknown) => this.context.logFault(batch.id, error))
      .finally(() => {
        this.#underWay.delete(batch.id);
        this.#canceledIds.delete(batch.id);
      });
    this.#underWay.set(batch.id, { projectId: batch.projectId, ended: runEnd, pace, claim });
  }

  /** Stores how fast the batches run, for other processes and the next one. */
  async #notePaces(): Promise<void> {
    const { claims, effects, logFault } = this.context;
    for (const [id, { pace }] of this.#underWay) {
      const { lines_per_minute: linesPerMinute, waits_for: waitsFor } = pace.describe();
      await claims
        .notePace(id, { linesPerMinute, waitsFor, atMs: effects.clock.nowMs() })
        .catch((error: unknown) => logFault("batches", error));
    }
  }

  async #renew(): Promise<void> {
    for (const [id, { claim }] of this.#underWay) {
      await claim.renew(id).catch((error: unknown) => this.context.logFault("batches", error));
    }
  }
}
