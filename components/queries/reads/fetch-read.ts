import { leaveForSignIn } from "@/components/session/leave-for-sign-in";
import { isPersonReplaced, reloadIfReplaced } from "@/components/session/page-person";
import {
  explainLostConsole,
  isOutdatedPage,
  type PossibleEffect,
} from "@/components/ui/states/explain-lost-console";
import { learnFromReply } from "@/components/ui/time/server-clock";
import { createProblem, type Problem, ProblemError, signedOut } from "@/lib/console/gateway/problem";
import { buildReadUrl, type ReadId, type ReadParameters, type ReadReply } from "@/lib/console/reads/reads";
import { isObject, parseJson } from "@/lib/contract/json-value";

/**
 * Makes a read from the browser. If the session has ended, goes to the sign-in screen, which returns here.
 * @throws ProblemError
 */
export async function fetchRead<Id extends ReadId>(
  id: Id,
  parameters: ReadParameters | undefined,
  signal: AbortSignal,
): Promise<ReadReply<Id>> {
  const sentMs = Date.now();
  const request = { signal, headers: { accept: "application/json" } };
  const reply = await asPagePerson(() => fetch(buildReadUrl(id, parameters), request))
    .then(async (response) => {
      learnFromReply(response, sentMs);
      return readConsoleReply<ReadReply<Id>>(await response.text());
    })
    .catch((error: unknown) => {
      if (signal.aborted) throw error;
      return { problem: describeConsoleFailure(error, "none") };
    });
  if ("data" in reply) return reply.data;
  if (reply.problem.code === "unauthenticated") leaveForSignIn();
  throw new ProblemError(reply.problem);
}

/**
 * Makes a request as the person whom this page was made for. If another tab has signed in somebody else, or nobody, it
 * isn't made, and the page is loaded anew.
 * @throws ProblemError
 */
export async function asPagePerson<Reply>(request: () => Promise<Reply>): Promise<Reply> {
  if (!isPersonReplaced()) return request();
  reloadIfReplaced();
  throw new ProblemError(signedOut);
}

const notTheConsole = createProblem(
  "unreachable",
  "Something other than the console answered, such as a proxy in front of it. Wait a moment, then try again.",
);

/** The reply of one of the console's routes, from its text. Any other text is a problem, too. */
export function readConsoleReply<Data>(
  text: string,
): { readonly data: Data } | { readonly problem: Problem } {
  const body = parseObject(text);
  return "data" in body ? { data: body.data as Data } : { problem: readConsoleProblem(text) };
}

/** The problem in a refusal by one of the console's routes, from its text. */
export function readConsoleProblem(text: string): Problem {
  const { problem } = parseObject(text) as { problem?: Partial<Problem> | null };
  return typeof problem?.code === "string" ? (problem as Problem) : notTheConsole;
}

function parseObject(text: string): object {
  const body = parseJson(text);
  return isObject(body) ? body : {};
}

/**
 * The problem of a request to the console's server that failed: its own, or that no reply came. Then `effect` is what
 * the request may have done all the same.
 */
export function describeConsoleFailure(error: unknown, effect: PossibleEffect): Problem {
  if (error instanceof ProblemError) return error.problem;
  return createProblem(isOutdatedPage(error) ? "refused" : "unreachable", explainLostConsole(error, effect));
}

/**
 * Options of a query that fails at once offline, so that the screen says why, and is made again once there is a
 * connection. By default it would wait silently.
 */
export const evenOffline = { networkMode: "always", refetchOnReconnect: true } as const;
