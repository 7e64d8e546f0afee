import { createHash } from "node:crypto";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { Write } from "../../changes/change";
import type { Clock } from "../../clock";
import { storeUnavailable } from "../../refusal";
import type { FileStorage, LocalFiles, StoredFile } from "../file-storage";
import type { DigestStore } from "../file-store.sql";
import { type Bucket, BucketFault } from "./bucket";

/** What is stored under an id. */
interface StoredFiles {
  readonly files: readonly { readonly bytes: number; readonly mimeType: string }[];
  /** Whether they may leave this disk: nothing writes them any more, and nothing that lasts reads them. */
  readonly mayLeave: boolean;
}

export interface BucketFilesContext {
  readonly local: LocalFiles;
  readonly bucket: Bucket;
  /** Null if there is no such id. */
  find(id: string): Promise<StoredFiles | null>;
  readonly digests: DigestStore;
  readonly write: Write;
  readonly clock: Clock;
  /** Whether other gateways, on other disks, read these files. */
  readonly isShared: boolean;
  logFault(where: string, error: unknown): void;
}

/** How long a local file outlasts its upload, for readers who have just opened it. */
const LOCAL_MS = MINUTE_MS;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = MINUTE_MS;
/** How many uploads may fail before the others wait, too. */
const MAX_FAULTS = 3;
/** The media type of a file that is uploaded before its row exists. */
export const UNKNOWN_TYPE = "application/octet-stream";

/**
 * Stores files in a bucket: those that tasks made, uploads and results of batches. A file is written to this machine's
 * disk first, as durable as its row is, and uploaded once it may leave. So a bucket that is down delays nothing and
 * loses nothing. Where other gateways read it, it is uploaded before its row is stored, if the bucket answers.
 */
export class BucketFiles implements FileStorage {
  /** The ids whose files are in the bucket and on this disk, with the time of their upload. */
  readonly #uploadedAtMs = new Map<string, number>();
  readonly #deleting = new Set<string>();
  /** The keys that were uploaded before their rows were stored. */
  readonly #published = new Set<string>();
  /** The ids whose last upload failed. They come last, so that they never keep the other files here for ever. */
  readonly #failed = new Set<string>();
  readonly #closing = new AbortController();
  #uploading: { readonly id: string; readonly end: Promise<void> } | null = null;
  #failures = 0;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly context: BucketFilesContext) {}

  write: FileStorage["write"] = async (id, position, pieces) => {
    const bytes = await this.context.local.write(id, position, pieces);
    await this.publish(id, position, bytes);
    return bytes;
  };

  /** Uploads a file that other gateways will read. If the bucket doesn't answer, it follows later. Never rejects. */
  async publish(id: string, position: number, bytes: number): Promise<void> {
    const { local, isShared, logFault } = this.context;
    if (!isShared) return;
    const file = { path: local.findPath(id, position), bytes, mimeType: UNKNOWN_TYPE };
    try {
      await this.#upload(id, position, file);
      this.#published.add(buildKey(id, position));
    } catch (error) {
      if (!this.#closing.signal.aborted) logFault("upload of files", error);
    }
  }

  /**
   * A file of another size here is a part that this process wrote before another took over: the bucket has the whole.
   * What is read whole is compared with its digest, and breaks off before its last bytes if it differs.
   * @throws Refusal 503 if the bucket doesn't answer, has a file of another size, or has yet to get it from another
   * gateway.
   */
  async open(id: string, position: number): Promise<StoredFile | null> {
    const { local, bucket, isShared } = this.context;
    const near = await local.open(id, position);
    const stored = await this.context.find(id);
    if (near && near.bytes === (stored?.files[position]?.bytes ?? near.bytes)) return near;
    const key = buildKey(id, position);
    const bytes = await this.#answer(bucket.findSize(key));
    if (bytes === null) {
      if (isShared && stored?.files[position]) throw storeUnavailable();
      return null;
    }
    const expected = stored?.files[position]?.bytes ?? bytes;
    if (bytes !== expected)
      await this.#answer(Promise.reject(this.#damaged(key, `has ${bytes} bytes instead of ${expected}`)));
    const digest = await this.context.digests.find(id, position);
    return {
      bytes,
      read: (start, end) => {
        const pieces = bucket.read(key, start, end);
        const isWhole = start === 0 && end === bytes;
        return this.#answerPieces(digest && isWhole ? this.#compared(pieces, key, digest) : pieces);
      },
    };
  }

  /**
   * Opens a file for somebody who reads it for hours, after bringing it back to this disk. @throws Refusal 503 as
   * `open` does.
   */
  async recall(id: string, position: number): Promise<StoredFile | null> {
    const { local, clock } = this.context;
    const file = await this.open(id, position);
    if (!file || (await local.open(id, position))?.bytes === file.bytes) return file;
    await local.write(id, position, file.read(0, file.bytes));
    this.#uploadedAtMs.set(id, clock.monotonicMs());
    return local.open(id, position);
  }

  /** @throws Refusal 503 if the bucket doesn't answer. */
  async delete(id: string): Promise<void> {
    const { local, bucket } = this.context;
    this.#deleting.add(id);
    try {
      if (this.#uploading?.id === id) await this.#uploading.end.catch(() => undefined);
      await local.delete(id);
      this.#uploadedAtMs.delete(id);
      this.#failed.delete(id);
      const files = (await this.context.find(id))?.files ?? [];
      for (const position of files.keys()) {
        this.#published.delete(buildKey(id, position));
        await this.#answer(bucket.delete(buildKey(id, position)));
      }
      await this.context.write((transaction) => this.context.digests.delete(transaction, id));
    } finally {
      this.#deleting.delete(id);
    }
  }

  /** Uploads the files that may leave, one id after another, and deletes local ones a while later. Never rejects. */
  async uploadDue(): Promise<void> {
    const { local, clock, logFault } = this.context;
    if (this.#uploading || this.#closing.signal.aborted || clock.monotonicMs() < this.#restsUntilMs) return;
    const faults: unknown[] = [];
    try {
      const ids = await local.ids();
      for (const id of ids.toSorted((a, b) => Number(this.#failed.has(a)) - Number(this.#failed.has(b)))) {
        // One file that the bucket refuses doesn't keep the others here; a bucket that is down is left alone.
        if (this.#closing.signal.aborted || this.#uploading || faults.length === MAX_FAULTS) break;
        this.#uploading = { id, end: this.#settle(id) };
        this.#failed.delete(id);
        await this.#uploading.end.catch((error: unknown) => {
          faults.push(error);
          this.#failed.add(id);
        });
        this.#uploading = null;
      }
    } catch (error) {
      faults.push(error);
    }
    if (this.#closing.signal.aborted) return;
    if (faults.length === 0) this.#failures = 0;
    else {
      // One line for each outage. The next success ends the outage.
      if (this.#failures === 0) logFault("upload of files", faults[0]);
      this.#restsUntilMs = clock.monotonicMs() + Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, MAX_PAUSE_MS);
      this.#failures++;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#uploading?.end.catch(() => undefined);
  }

  async #settle(id: string): Promise<void> {
    const { local, bucket, clock } = this.context;
    const uploadedAtMs = this.#uploadedAtMs.get(id);
    if (this.#deleting.has(id)) return;
    const stored = await this.context.find(id);
    if (!stored?.mayLeave || this.#deleting.has(id)) return;
    if (uploadedAtMs === undefined) {
      for (const [position, { bytes, mimeType }] of stored.files.entries()) {
        const key = buildKey(id, position);
        if (this.#published.delete(key) && mimeType === UNKNOWN_TYPE) continue;
        const localBytes = (await local.open(id, position))?.bytes ?? 0;
        if (localBytes === bytes)
          await this.#upload(id, position, { path: local.findPath(id, position), bytes, mimeType });
        // An earlier deletion here may have ended half-way, or this is the only copy.
        else if ((await bucket.findSize(key)) !== bytes)
          throw new BucketFault(
            `${key} has ${localBytes} bytes on this disk instead of ${bytes}, and is not in ${bucket.name}: it stays here.`,
          );
      }
      this.#uploadedAtMs.set(id, clock.monotonicMs());
    } else if (clock.monotonicMs() - uploadedAtMs >= LOCAL_MS) {
      await local.delete(id);
      this.#uploadedAtMs.delete(id);
    }
  }

  /** Uploads without looking for the file first: a key without the right to list gets a 403 for a missing file. */
  async #upload(id: string, position: number, file: Parameters<Bucket["put"]>[1]): Promise<void> {
    const { bucket, digests, write } = this.context;
    const key = buildKey(id, position);
    const sha256 = await bucket.put(key, file, this.#closing.signal);
    const storedBytes = await bucket.findSize(key);
    if (storedBytes !== file.bytes)
      throw new BucketFault(
        `${bucket.name} has ${storedBytes ?? 0} bytes of ${key} instead of ${file.bytes}.`,
      );
    await write((transaction) => digests.save(transaction, id, position, sha256));
  }

  #damaged(key: string, fault: string): BucketFault {
    return new BucketFault(
      `${key} in ${this.context.bucket.name} ${fault}: restore it from a copy of the bucket.`,
    );
  }

  /** Passes a file on one piece late, so that its last bytes leave only once its digest is right. */
  #compared(pieces: ReadableStream<Uint8Array>, key: string, digest: string): ReadableStream<Uint8Array> {
    const hash = createHash("sha256");
    let last: Uint8Array | null = null;
    return pieces.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (piece, controller) => {
          if (last) controller.enqueue(last);
          hash.update(piece);
          last = piece;
        },
        flush: (controller) => {
          if (hash.digest("hex") !== digest) throw this.#damaged(key, "has other bytes than were uploaded");
          if (last) controller.enqueue(last);
        },
      }),
    );
  }

  #answerPieces(pieces: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = pieces.getReader();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { done, value } = await this.#answer(reader.read());
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  async #answer<Result>(operation: Promise<Result>): Promise<Result> {
    try {
      return await operation;
    } catch (error) {
      this.context.logFault("store of files", error);
      throw storeUnavailable();
    }
  }
}

export function buildKey(id: string, position: number): string {
  return `${id}/${position}`;
}
