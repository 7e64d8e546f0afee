import "server-only";
import { unexpected } from "./action";
import { isOwnRead, requestOriginOf } from "./origin";
import { type Problem, type ProblemCode, plainProblem } from "./problem";
import { readGateway } from "./read-gateway";
import type { ReadId } from "./reads";

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
  unreachable: 503,
  failed: 502,
};

/** The GET handler of a read: `{data}`, or `{problem}` with the status that fits it. Never cached, never for other sites. */
export function apiRoute(id: ReadId): (request: Request) => Promise<Response> {
  return async (request) => {
    if (!isOwnRead(requestOriginOf(request.headers))) {
      return refuse(plainProblem("refused", "Only pages of this console may ask for this."));
    }
    try {
      const parameters = Object.fromEntries(new URL(request.url).searchParams);
      const reply = await readGateway(id, parameters);
      return reply.ok ? Response.json({ data: reply.data }, { headers: noStore }) : refuse(reply.problem);
    } catch (error) {
      return refuse(unexpected(error));
    }
  };
}

const noStore = { "cache-control": "no-store", vary: "cookie, sec-fetch-site" };

function refuse(problem: Problem): Response {
  return Response.json({ problem }, { status: statuses[problem.code], headers: noStore });
}
