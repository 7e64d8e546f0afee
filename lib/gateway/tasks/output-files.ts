/** Stores the output files of tasks. */
export interface OutputFiles {
  /** Stores a file atomically, replacing an earlier one. @returns its size in bytes, once it is on disk. */
  write(taskId: string, position: number, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** Null if it doesn't exist. */
  open(taskId: string, position: number): Promise<StoredFile | null>;
  /** Deletes all files of a task. */
  delete(taskId: string): Promise<void>;
}

/** Files on this machine's disk. */
export interface LocalFiles extends OutputFiles {
  findPath(taskId: string, position: number): string;
  /** The tasks that have files here, complete or not. */
  ids(): Promise<string[]>;
  /** Deletes all files of tasks whose first file is older than `beforeMs`. */
  deleteOld(beforeMs: number): Promise<void>;
}

export interface StoredFile {
  readonly bytes: number;
  /** Reads the bytes from `start` to before `end`. */
  read(start: number, end: number): ReadableStream<Uint8Array>;
}
