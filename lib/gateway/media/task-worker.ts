import type { ClaimedTask, TaskClaims } from "../tasks/task-claims";
import { type AdvanceContext, advanceTask } from "./advance-task";

const AT_ONCE = 20;
/** Shorter than a claim: longer work is stopped before another process takes it over. */
const PATIENCE_MS = 4 * 60_000;
const STORE_DOWN_MS = 5_000;

export interface WorkerContext extends AdvanceContext {
  readonly claims: TaskClaims;
}

/** Works on the tasks that are due, a few at once. */
export class TaskWorker {
  readonly #closing = new AbortController();
  readonly #underWay = new Map<string, Promise<void>>();
  #isClaiming = false;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly context: WorkerContext) {}

  /** Starts work on every due task that is not in progress. Never rejects. */
  async workOnDue(): Promise<void> {
    const { claims, effects, logFault } = this.context;
    if (this.#isClaiming || this.#closing.signal.aborted) return;
    if (effects.clock.monotonicMs() < this.#restsUntilMs) return;
    this.#isClaiming = true;
    try {
      while (this.#underWay.size < AT_ONCE) {
        const room = AT_ONCE - this.#underWay.size;
        const due = await claims.claimDue(effects.clock.nowMs(), room, this.#underWay.keys());
        if (due.length === 0) return;
        for (const task of due) this.#begin(task);
      }
    } catch (error) {
      this.#restsUntilMs = effects.clock.monotonicMs() + STORE_DOWN_MS;
      logFault("tasks", error);
    } finally {
      this.#isClaiming = false;
    }
  }

  /** Resolves once no work is in progress. */
  async waitUntilIdle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  /** Stops the work in progress, which continues after the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.waitUntilIdle();
  }

  #begin(task: ClaimedTask): void {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(PATIENCE_MS)]);
    const work = advanceTask(this.context, task, signal)
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) this.context.logFault(task.id, error);
      })
      .finally(() => this.#underWay.delete(task.id));
    this.#underWay.set(task.id, work);
  }
}
