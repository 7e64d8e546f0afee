/** A result file that is complete. */
export interface ResultFile {
  readonly id: string;
  readonly projectId: string;
  /** The key or member that created its batch. */
  readonly keyId: string;
  readonly purpose: "batch_output";
  readonly filename: string;
  readonly bytes: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
}

/** Files that grow while a batch runs. */
export interface ResultFiles {
  /**
   * Writes lines, each in pieces and with its line end, at the offset `at`, the file's stored length. Overwrites
   * anything beyond it that a dead process wrote.
   * @returns the file's new length, once it is on disk.
   */
  append(fileId: string, at: number, lines: readonly (readonly Uint8Array[])[]): Promise<number>;
}
