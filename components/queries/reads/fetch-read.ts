import { leaveForSignIn } from "@/components/session/leave-for-sign-in";
import { learnFromReply } from "@/components/ui/time/server-clock";
import { ProblemError } from "@/lib/console/gateway/problem";
import { buildReadUrl, type ReadId, type ReadParameters, type ReadReply } from "@/lib/console/reads/reads";
import { asPagePerson } from "./as-page-person";
import { describeConsoleFailure } from "./describe-console-failure";
import { readConsoleReply } from "./read-console-reply";

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
