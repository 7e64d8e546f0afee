/** Stores the bytes of files: outputs and inputs of tasks, uploads, and inputs and results of batches. */
export interface FileStorage {
  /** Stores a file atomically, replacing an earlier one. @returns its size in bytes, once it is on disk. */
  write(id: string, position: number, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** Null if it doesn't exist. */
  open(id: string, position: number): Promise<StoredFile | null>;
  /** Deletes all files with this id. */
  delete(id: string): Promise<void>;
}

/** Files on this machine's disk. */
export interface LocalFiles extends FileStorage {
  findPath(id: string, position: number): string;
  /** The ids that have files here, complete or not. */
  ids(): Promise<string[]>;
  /** Deletes all files of ids for which no file was written or replaced since `beforeMs`. */
  deleteOld(beforeMs: number): Promise<void>;
}

export interface StoredFile {
  readonly bytes: number;
  /** Reads the bytes from `start` to before `end`. */
  read(start: number, end: number): ReadableStream<Uint8Array>;
}
