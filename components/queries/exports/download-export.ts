import {
  asPagePerson,
  describeConsoleFailure,
  readConsoleProblem,
} from "@/components/queries/reads/fetch-read";
import { leaveForSignIn } from "@/components/session/leave-for-sign-in";
import { toast } from "@/components/ui/dialog/toast";
import type { Problem } from "@/lib/console/gateway/problem";

/** Downloads an export. If it is refused, says so on this page, which the browser would replace with the refusal. */
export async function downloadExport(href: string): Promise<void> {
  const problem = await findRefusal(href);
  if (problem?.code === "unauthenticated") return leaveForSignIn();
  if (problem) return void toast({ message: problem.message, tone: "bad" });
  const link = document.createElement("a");
  link.href = href;
  // Without this, the browser would ask about unsaved input, though no page is left.
  link.download = "";
  link.click();
}

/**
 * Begins the export and drops it again.
 * @returns why it is refused, or null.
 */
async function findRefusal(href: string): Promise<Problem | null> {
  const looking = new AbortController();
  try {
    const reply = await asPagePerson(() => fetch(href, { signal: looking.signal }));
    return reply.ok ? null : readConsoleProblem(await reply.text());
  } catch (error) {
    return describeConsoleFailure(error, "none");
  } finally {
    looking.abort();
  }
}
