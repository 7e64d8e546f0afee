import { SQLiteError } from "bun:sqlite";
import { StoreLost } from "../store-guard";

/** Whether one operation of a batch is at fault, by a rule of the tables or by itself, and not the store. */
export function isConstraintViolation(error: unknown): boolean {
  if (error instanceof StoreLost) return false;
  return !(error instanceof SQLiteError) || (error.code ?? "").startsWith("SQLITE_CONSTRAINT");
}
