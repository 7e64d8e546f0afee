import {
  explainLostConsole,
  isOutdatedPage,
  type PossibleEffect,
} from "@/components/ui/states/explain-lost-console";
import { createProblem, type Problem, ProblemError } from "@/lib/console/gateway/problem";

/**
 * The problem of a request to the console's server that failed: its own, or that no reply came. Then `effect` is what
 * the request may have done all the same.
 */
export function describeConsoleFailure(error: unknown, effect: PossibleEffect): Problem {
  if (error instanceof ProblemError) return error.problem;
  return createProblem(isOutdatedPage(error) ? "refused" : "unreachable", explainLostConsole(error, effect));
}
