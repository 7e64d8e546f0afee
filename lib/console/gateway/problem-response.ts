import { createProblem, type Problem, type ProblemCode } from "./problem";

const statuses: Readonly<Record<ProblemCode, number>> = {
  unauthenticated: 401,
  missing_permission: 403,
  refused: 403,
  unsupported: 501,
  not_found: 404,
  invalid: 400,
  conflict: 409,
  stale: 412,
  rate_limited: 429,
  insufficient_balance: 402,
  spend_limit: 402,
  circuit_open: 503,
  unreachable: 503,
  failed: 502,
};

/** A person's data must be neither cached nor given to other sites. */
export const privateHeaders = { "cache-control": "no-store", vary: "cookie, sec-fetch-site" };

export const foreignRead = createProblem("refused", "Only pages of this console may ask for this.");

/** Answers the browser with `{problem}` and a matching status. */
export function respondWithProblem(problem: Problem): Response {
  return Response.json({ problem }, { status: statuses[problem.code], headers: privateHeaders });
}
