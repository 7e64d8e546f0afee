import { SQLiteError } from "bun:sqlite";
import { StoreLost } from "../store-guard";

/** Returns true if the operation itself is invalid or violates a rule of the tables. False for faults of the store. */
export function isConstraintViolation(error: unknown): boolean {
  if (error instanceof StoreLost) return false;
  return !(error instanceof SQLiteError) || (error.code ?? "").startsWith("SQLITE_CONSTRAINT");
}
