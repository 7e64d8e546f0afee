import { unstable_isUnrecognizedActionError } from "next/navigation";
import { createProblem, type Problem } from "@/lib/console/gateway/problem";

/**
 * The problem of an action whose reply never came: it may have run all the same. `isRepeatable` if a second try can't do it
 * twice. Reports errors that aren't about the connection.
 */
export function describeLostReply(error: unknown, isRepeatable: boolean): Problem {
  if (unstable_isUnrecognizedActionError(error)) return createProblem("failed", outdatedPage);
  if (!(error instanceof TypeError)) reportError(error);
  const advice = isRepeatable
    ? "Check your connection and send this again: it is saved only once."
    : "Check your connection and reload the page to see it before you try again.";
  return createProblem("unreachable", `The console didn’t answer. It may have been saved. ${advice}`);
}

const outdatedPage =
  "The console has been updated since this page was opened. Nothing was saved. Reload the page and try again.";
