import type { Problem } from "./problem";

/** Whether a change was refused because its object no longer exists. */
export function isGone(problem: Problem): boolean {
  return problem.code === "not_found" || (problem.code === "stale" && problem.current.state === "deleted");
}
