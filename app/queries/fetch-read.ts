import { releaseUnsaved } from "@/components/form/unsaved";
import { paths } from "@/lib/console/paths";
import { type Problem, ProblemError, plainProblem } from "@/lib/console/problem";
import { type ReadId, type ReadParameters, type ReadReply, readUrl } from "@/lib/console/reads";

/**
 * Repeats a read from the browser. A session that is over leads to the sign-in screen and back here afterwards.
 * @throws ProblemError
 */
export async function fetchRead<Id extends ReadId>(
  id: Id,
  parameters: ReadParameters | undefined,
  signal: AbortSignal,
): Promise<ReadReply<Id>> {
  const reply = await fetch(readUrl(id, parameters), { signal, headers: { accept: "application/json" } })
    .then(async (response): Promise<{ data: ReadReply<Id> } | { problem: Problem }> => response.json())
    .catch((error: unknown) => {
      if (signal.aborted) throw error;
      return { problem: consoleAway };
    });
  if ("data" in reply) return reply.data;
  if (reply.problem.code === "unauthenticated") leaveForSignIn();
  throw new ProblemError(reply.problem);
}

/** Leaves the page for the sign-in screen, which returns to it; what is typed in it is kept meanwhile. */
export function leaveForSignIn(): void {
  const { pathname, search } = window.location;
  if (pathname === paths.signIn()) return;
  releaseUnsaved();
  window.location.assign(paths.signIn({ next: `${pathname}${search}`, reason: "ended" }));
}

export const consoleAway: Problem = plainProblem(
  "unreachable",
  "The console itself does not answer. Check the connection; what is on this page is as it was.",
);
