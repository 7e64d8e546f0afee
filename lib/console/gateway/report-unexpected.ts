import "server-only";
import { randomUUID } from "node:crypto";
import { createProblem, type Problem } from "./problem";

/** Logs an internal error, and returns a problem with an id to find it by. */
export function reportUnexpected(error: unknown): Problem {
  const id = `console_${randomUUID()}`;
  console.error(id, error);
  return createProblem("failed", "The console failed on its own side. Nothing is known to have changed.", {
    requestId: id,
  });
}
