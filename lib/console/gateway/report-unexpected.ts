import "server-only";
import { randomUUID } from "node:crypto";
import { createProblem, type Problem } from "./problem";

/** Logs an internal error, and returns a problem with an id to find it by. */
export function reportUnexpected(error: unknown): Problem {
  const id = `console_${randomUUID()}`;
  console.error(id, error);
  return createProblem(
    "failed",
    "The console itself failed. If you were saving something, check whether it was saved.",
    {
      requestId: id,
    },
  );
}
