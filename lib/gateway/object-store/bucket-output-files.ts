import type { Clock } from "../effects";
import { storeUnavailable } from "../refusal";
import type { LocalFiles, OutputFiles } from "../tasks/output-files";
import type { TaskStore } from "../tasks/task-store";
import type { Bucket } from "./bucket";
import { BucketFault } from "./bucket-fault";

interface BucketOutputContext {
  readonly local: LocalFiles;
  readonly bucket: Bucket;
  readonly tasks: Pick<TaskStore, "find">;
  readonly clock: Clock;
  logFault(where: string, error: unknown): void;
}

/** How long a local file outlasts its upload, for readers who have just opened it. */
const LOCAL_MS = 60_000;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;
/** How many uploads may fail before the others wait, too. */
const MAX_FAULTS = 3;

/**
 * Stores the output files of tasks in a bucket. A file is written to this machine's disk first, as durable as its task is,
 * and uploaded once its task has succeeded. So a bucket that is down delays no task and loses nothing.
 */
export class BucketOutputFiles implements OutputFiles {
  /** The tasks whose files are in the bucket and on this disk, with the time of their upload. */
  readonly #uploadedAtMs = new Map<string, number>();
  readonly #deleting = new Set<string>();
  readonly #closing = new AbortController();
  #uploading: { readonly id: string; readonly end: Promise<void> } | null = null;
  #failures = 0;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly context: BucketOutputContext) {}

  write: OutputFiles["write"] = (taskId, position, bytes) =>
    this.context.local.write(taskId, position, bytes);

  /** @throws Refusal 503 if the bucket doesn't answer. */
  async open(taskId: string, position: number) {
    const { local, bucket } = this.context;
    const near = await local.open(taskId, position);
    if (near) return near;
    const key = buildKey(taskId, position);
    const bytes = await this.#answer(bucket.findSize(key));
    return bytes === null
      ? null
      : { bytes, read: (start: number, end: number) => bucket.read(key, start, end) };
  }

  /** @throws Refusal 503 if the bucket doesn't answer. */
  async delete(taskId: string): Promise<void> {
    const { local, bucket, tasks } = this.context;
    this.#deleting.add(taskId);
    try {
      if (this.#uploading?.id === taskId) await this.#uploading.end.catch(() => undefined);
      await local.delete(taskId);
      this.#uploadedAtMs.delete(taskId);
      const files = (await tasks.find(taskId))?.files ?? [];
      for (const position of files.keys()) await this.#answer(bucket.delete(buildKey(taskId, position)));
    } finally {
      this.#deleting.delete(taskId);
    }
  }

  /** Uploads the files of tasks that have succeeded, one after another, and deletes local ones a while later. Never rejects. */
  async uploadDue(): Promise<void> {
    const { local, clock, logFault } = this.context;
    if (this.#uploading || this.#closing.signal.aborted || clock.monotonicMs() < this.#restsUntilMs) return;
    const faults: unknown[] = [];
    try {
      for (const id of await local.ids()) {
        // One file that the bucket refuses doesn't keep the others here; a bucket that is down is left alone.
        if (this.#closing.signal.aborted || this.#uploading || faults.length === MAX_FAULTS) break;
        this.#uploading = { id, end: this.#settle(id) };
        await this.#uploading.end.catch((error: unknown) => faults.push(error));
        this.#uploading = null;
      }
    } catch (error) {
      faults.push(error);
    }
    if (this.#closing.signal.aborted) return;
    if (faults.length === 0) this.#failures = 0;
    else {
      // One line for each outage, which the next success ends.
      if (this.#failures === 0) logFault("upload of outputs", faults[0]);
      this.#restsUntilMs = clock.monotonicMs() + Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, MAX_PAUSE_MS);
      this.#failures++;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#uploading?.end.catch(() => undefined);
  }

  async #settle(id: string): Promise<void> {
    const { local, tasks, clock } = this.context;
    const uploadedAtMs = this.#uploadedAtMs.get(id);
    if (this.#deleting.has(id)) return;
    if (uploadedAtMs === undefined) {
      const task = await tasks.find(id);
      if (task?.status !== "succeeded" || this.#deleting.has(id)) return;
      for (const [position, { bytes, mimeType }] of task.files.entries()) {
        const localFile = await local.open(id, position);
        if (localFile?.bytes !== bytes) continue;
        await this.#upload(buildKey(id, position), { path: local.findPath(id, position), bytes, mimeType });
      }
      this.#uploadedAtMs.set(id, clock.monotonicMs());
    } else if (clock.monotonicMs() - uploadedAtMs >= LOCAL_MS) {
      await local.delete(id);
      this.#uploadedAtMs.delete(id);
    }
  }

  /** Without looking for it first: a key that may not list the bucket is refused what doesn't exist. */
  async #upload(key: string, file: Parameters<Bucket["put"]>[1]): Promise<void> {
    const { bucket } = this.context;
    await bucket.put(key, file, this.#closing.signal);
    const storedBytes = await bucket.findSize(key);
    if (storedBytes !== file.bytes)
      throw new BucketFault(
        `${bucket.name} has ${storedBytes ?? 0} bytes of ${key} instead of ${file.bytes}.`,
      );
  }

  async #answer<Result>(operation: Promise<Result>): Promise<Result> {
    try {
      return await operation;
    } catch (error) {
      this.context.logFault("store of outputs", error);
      throw storeUnavailable();
    }
  }
}

export function buildKey(taskId: string, position: number): string {
  return `${taskId}/${position}`;
}
