import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { WORK_RENEW_MS } from "../claim-times";
import { BatchLease, BatchPace } from "./batch-lease";
import type { BatchClaims, BatchRecord } from "./batch-store.sql";
import { LineThrottle, type ThrottleContext } from "./lines/line-throttle";
import { ResultMemory } from "./result-memory";
import { type RunContext, runBatch } from "./run-batch";

const LAST_WAIT_MS = 5_000;
const NOTE_PACE_MS = 10_000;
/** The batches that one process may have begun. Those that wait for their limits are kept in memory with some lines. */
const MAX_OPEN = 16;
/** A project may begin fewer, so that its waiting batches leave slots for other projects. */
const MAX_OPEN_PER_PROJECT = 4;
/** The batches of one process whose lines may be answered concurrently. */
const MAX_WORKING = 4;
/** One project has fewer, so that a slow provider of its batches leaves a slot for other projects. */
const MAX_WORKING_PER_PROJECT = 3;
/** The batches that may be open beyond `MAX_OPEN` because they only have to be ended. */
const MAX_ENDING = 4;

interface OpenBatch {
  readonly projectId: string;
  /** True while its lines wait for a limit, the balance or their provider. */
  readonly isWaiting: boolean;
}

/** Whether a process can begin another batch, if only to end it: one that is canceled or out of time. */
export function hasFreeSlot(openCount: number): boolean {
  return openCount < MAX_OPEN + MAX_ENDING;
}

/** The projects that may begin no further batch; "all" if every slot is taken. */
export function listFullProjects(openBatches: readonly OpenBatch[]): readonly string[] | "all" {
  const working = openBatches.filter(({ isWaiting }) => !isWaiting).length;
  if (openBatches.length >= MAX_OPEN || working >= MAX_WORKING) return "all";
  return [...new Set(openBatches.map(({ projectId }) => projectId))].filter((id) => {
    const own = openBatches.filter(({ projectId }) => projectId === id);
    const ownWorking = own.filter(({ isWaiting }) => !isWaiting).length;
    return own.length >= MAX_OPEN_PER_PROJECT || ownWorking >= MAX_WORKING_PER_PROJECT;
  });
}

interface RunnerContext extends Omit<RunContext, "throttle" | "memory">, ThrottleContext {
  readonly claims: BatchClaims;
  /** Whether this process is known to others as running, so that none takes its batches over. */
  ownsLease(): boolean;
  logFault(where: string, error: unknown): void;
}

/** A batch that this process runs. */
interface UnderWay {
  readonly projectId: string;
  readonly ended: Promise<void>;
  readonly pace: BatchPace;
  readonly lease: BatchLease;
}

/** Runs the batches that no other process runs, a few at once. */
export class BatchRunner {
  readonly #closing = new AbortController();
  readonly #underWay = new Map<string, UnderWay>();
  readonly #canceledIds = new Set<string>();
  readonly throttle: LineThrottle;
  readonly #stopTimers: readonly (() => void)[];
  #isClaiming = false;

  constructor(private readonly context: RunnerContext) {
    this.throttle = new LineThrottle(context);
    this.#stopTimers = [
      context.timers.every(WORK_RENEW_MS, () => void this.#renew()),
      context.timers.every(NOTE_PACE_MS, () => void this.#notePaces()),
    ];
  }

  /** Starts batches until all slots are taken. Never rejects. */
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

  /** @returns false if no slot is free, or no batch waits. */
  async #beginOne(): Promise<boolean> {
    const { claims, runtime, ownsLease } = this.context;
    const openBatches = [...this.#underWay.values()];
    if (!hasFreeSlot(openBatches.length)) return false;
    const lease = new BatchLease(claims, runtime.clock, ownsLease);
    const fullProjects = listFullProjects(
      openBatches.map(({ projectId, pace }) => ({ projectId, isWaiting: pace.isWaiting() })),
    );
    const request = { limit: 1, underWay: [...this.#underWay.keys()], fullProjects };
    const [batch] = await claims.claim(runtime.clock.nowMs(), request);
    if (batch) this.#begin(batch, lease);
    return batch !== undefined;
  }

  #begin(batch: BatchRecord, lease: BatchLease): void {
    const { signal } = this.#closing;
    const isCanceled = () => this.#canceledIds.has(batch.id);
    const { clock } = this.context.runtime;
    const pace = new BatchPace(() => clock.monotonicMs());
    const storedPace = batch.pace;
    if (storedPace) pace.resume(storedPace.linesPerMinute, Math.max(0, clock.nowMs() - storedPace.atMs));
    const context = { ...this.context, throttle: this.throttle, memory: new ResultMemory() };
    const runEnd = runBatch(context, batch, { lease, signal, isCanceled, pace })
      .catch((error: unknown) => this.context.logFault(batch.id, error))
      .finally(() => {
        this.#underWay.delete(batch.id);
        this.#canceledIds.delete(batch.id);
      });
    this.#underWay.set(batch.id, { projectId: batch.projectId, ended: runEnd, pace, lease });
  }

  /** Stores how fast the batches run, for other processes and the next one. */
  async #notePaces(): Promise<void> {
    const { claims, runtime, logFault } = this.context;
    for (const [id, { pace }] of this.#underWay) {
      const { lines_per_minute: linesPerMinute, waits_for: waitsFor } = pace.describe();
      await claims
        .notePace(id, { linesPerMinute, waitsFor, atMs: runtime.clock.nowMs() })
        .catch((error: unknown) => logFault("batches", error));
    }
  }

  async #renew(): Promise<void> {
    for (const [id, { lease }] of this.#underWay) {
      await lease.renew(id).catch((error: unknown) => this.context.logFault("batches", error));
    }
  }
}
