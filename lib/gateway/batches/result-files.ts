/** A file of results that has its whole length. */
export interface ResultFile {
  readonly id: string;
  readonly projectId: string;
  readonly purpose: "batch_output";
  readonly filename: string;
  readonly bytes: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
}

/** Files that grow while a batch runs. */
export interface ResultFiles {
  /**
   * Writes lines from the byte `at` on, which is the file's length as it is known; what a process that died wrote behind it is lost.
   * @returns the file's length once it is on disk.
   */
  append(fileId: string, at: number, lines: readonly string[]): Promise<number>;
}
