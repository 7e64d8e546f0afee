import type { Task } from "@/lib/contract/operations/tasks/task";
import type { Clock } from "../clock";
import type { TaskRecord, TaskStore } from "./task-store.sql";
import { describeTask } from "./tasks";

const POLL_MS = 250;
/** The tasks of one read. */
const READ_TASKS = 500;
/** How often a waiting caller's access is checked again, and an idle stream gets a comment. */
const RECHECK_MS = 2_000;
/** A stream ends by itself; clients connect again. */
const STREAM_MS = 300_000;

/** A task with its description, shared by all that wait for it. */
interface WatchedTask {
  readonly record: TaskRecord;
  readonly description: Task;
  /** The description as JSON: two states of a task differ if these do. */
  readonly text: string;
}

type Waiter = (task: WatchedTask | null) => void;

interface Context {
  readonly tasks: Pick<TaskStore, "findAll">;
  readonly organization: { readonly currency: string };
  readonly clock: Clock;
  logFault(where: string, error: unknown): void;
}

/**
 * Follows tasks for any number of readers with one read of the store each quarter of a second, which fetches every task
 * that somebody waits for once. Nothing is read while nobody waits.
 */
export class TaskWatch {
  readonly #waiters = new Map<string, Set<Waiter>>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  readonly #closing = new AbortController();

  constructor(private readonly context: Context) {}

  /**
   * Yields a task, then each change of it; undefined from time to time without one. Ends with the task, after five
   * minutes, when `signal` aborts, and when `isSeen` is false: it is asked again and again, since access may end.
   */
  async *follow(
    id: string,
    { signal, isSeen }: { readonly signal: AbortSignal; isSeen(task: TaskRecord): Promise<boolean> },
  ): AsyncGenerator<Task | undefined> {
    const { clock } = this.context;
    const untilMs = clock.monotonicMs() + STREAM_MS;
    let last = await this.#read(id);
    let isNews = true;
    while (last && !signal.aborted && !this.#isClosed && clock.monotonicMs() < untilMs) {
      if (!(await isSeen(last.record))) return;
      yield isNews ? last.description : undefined;
      if (last.record.endedAtMs !== null) return;
      const next = await this.#wait(id, last.text, signal);
      isNews = next !== undefined;
      if (next !== undefined) last = next;
    }
  }

  /**
   * Waits for the end of a task.
   * @returns the task, unfinished after `timeoutMs`; null once `signal` has aborted, or if the task doesn't exist.
   * @throws the error of `refuseEndedAccess`, which is called again and again.
   */
  async untilEnded(
    id: string,
    {
      timeoutMs,
      signal,
      refuseEndedAccess,
    }: { readonly timeoutMs: number; readonly signal: AbortSignal; refuseEndedAccess(): void },
  ): Promise<TaskRecord | null> {
    const { clock } = this.context;
    const untilMs = clock.monotonicMs() + timeoutMs;
    let last = await this.#read(id);
    while (last && !signal.aborted && !this.#isClosed) {
      refuseEndedAccess();
      const leftMs = untilMs - clock.monotonicMs();
      if (last.record.endedAtMs !== null || leftMs <= 0) return last.record;
      const next = await this.#wait(id, last.text, signal, Math.min(leftMs, RECHECK_MS));
      if (next !== undefined) last = next;
    }
    return null;
  }

  /** Ends all waiting. */
  close(): void {
    this.#closing.abort();
    if (this.#timer) clearTimeout(this.#timer);
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #read(id: string): Promise<WatchedTask | null> {
    const [record] = await this.context.tasks.findAll([id]);
    return record ? this.#describe(record) : null;
  }

  #describe(record: TaskRecord): WatchedTask {
    const description = describeTask(record, this.context.organization.currency);
    return { record, description, text: JSON.stringify(description) };
  }

  /** Resolves with the first state other than `text`; null if the task is gone, undefined if there was none in time. */
  #wait(
    id: string,
    text: string,
    signal: AbortSignal,
    timeoutMs = RECHECK_MS,
  ): Promise<WatchedTask | null | undefined> {
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(id) ?? new Set<Waiter>();
      const end = (task?: WatchedTask | null) => {
        clearTimeout(timeout);
        signal.removeEventListener("abort", abort);
        this.#closing.signal.removeEventListener("abort", abort);
        waiters.delete(look);
        if (waiters.size === 0 && this.#waiters.get(id) === waiters) this.#waiters.delete(id);
        resolve(task);
      };
      const look: Waiter = (task) => {
        if (task?.text !== text) end(task);
      };
      const abort = () => end();
      const timeout = setTimeout(end, timeoutMs);
      signal.addEventListener("abort", abort);
      this.#closing.signal.addEventListener("abort", abort);
      this.#waiters.set(id, waiters.add(look));
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#timer || this.#waiters.size === 0 || this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#poll(), POLL_MS);
  }

  /** Reads the tasks that somebody waits for. While the store doesn't answer, they go on waiting. */
  async #poll(): Promise<void> {
    try {
      const ids = [...this.#waiters.keys()];
      for (let start = 0; start < ids.length; start += READ_TASKS) {
        const part = ids.slice(start, start + READ_TASKS);
        const found = new Map((await this.context.tasks.findAll(part)).map((record) => [record.id, record]));
        for (const id of part) {
          const record = found.get(id);
          const task = record ? this.#describe(record) : null;
          for (const look of this.#waiters.get(id) ?? []) look(task);
        }
      }
    } catch (error) {
      if (!this.#isClosed) this.context.logFault("followed tasks", error);
    } finally {
      this.#timer = null;
      this.#schedule();
    }
  }
}
