import { LaunchFault } from "@/lib/dev/launch/launch-fault";

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 50;

/**
 * Resolves once the address answers with a status below 500.
 * @throws LaunchFault after a minute without an answer.
 */
export async function waitForAnswer(url: string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  let last = "no answer";
  while (performance.now() < deadline) {
    try {
      const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
      await response.body?.cancel();
      if (response.status < 500) return;
      last = `status ${response.status}`;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await Bun.sleep(PAUSE_MS);
  }
  throw new LaunchFault([`${url} did not answer within ${TIMEOUT_MS / 1000} seconds: ${last}`]);
}
