import { SQLiteError } from "bun:sqlite";

/** Whether somebody else was writing. */
export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}
