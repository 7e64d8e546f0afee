import { ProblemError } from "@/lib/console/gateway/problem";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { fetchRead } from "../../queries/reads/fetch-read";

const POLL_EVERY_MS = 400;
const GIVE_UP_MS = 8_000;

/**
 * Returns the charge of a call that the person made; null if there is none after 8 seconds. Polls while there is none,
 * since a stopped call is charged shortly after its reply ends.
 * @throws ProblemError at once for any other problem.
 */
export async function awaitCharge(requestId: string, signal: AbortSignal): Promise<LedgerEntry | null> {
  const untilMs = performance.now() + GIVE_UP_MS;
  while (performance.now() < untilMs) {
    try {
      return await fetchRead("retrieveOwnCharge", { request_id: requestId }, signal);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.code !== "not_found") throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
    signal.throwIfAborted();
  }
  return null;
}
