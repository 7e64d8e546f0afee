import type { LoadResult } from "../load/load";
import { median } from "../measure";
import { startBenchStage } from "../start-stage";
import { plainBody, thoughtfulBody } from "../workloads";
import type { TrialResult } from "./trial-result";

const CAP = 64;
const DURATION_MS = 1_500;
const ROUNDS = 3;

/**
 * Offers twice the load that the gateway can handle and measures its goodput. Beyond its cap it refuses at once, so
 * admitted calls should still complete. This is a gate where the provider's time is the limit. Where the processors
 * are, the load competes for them, so it is only reported.
 */
export async function tryOverload(): Promise<TrialResult> {
  const stage = await startBenchStage({ GATEHOUSE_MAX_CONCURRENT_REQUESTS: String(CAP) });
  const refusals = new Set<string>();
  let whole = 0;
  const offer = async (body: string, perSecond?: number) => {
    const order = { body, connections: CAP, durationMs: DURATION_MS, perSecond };
    const result = await stage.offer(order);
    whole += result.replies;
    for (const status of Object.keys(result.failures)) refusals.add(status);
    return goodput(result);
  };
  const shareAtTwice = async (body: string) => {
    const shares: number[] = [];
    await offer(body);
    for (let round = 0; round < ROUNDS; round++) {
      const best = await offer(body);
      const overloaded = await offer(body, 2 * best);
      shares.push(overloaded / best);
      console.log(`${Math.round(overloaded)}/s at twice the load, ${Math.round(best)}/s at its best`);
    }
    return median(shares);
  };
  const waiting = await shareAtTwice(thoughtfulBody);
  const busy = await shareAtTwice(plainBody);
  if (!refusals.has("429")) throw new Error("Nothing was refused: what was offered was no overload");
  const others = [...refusals].filter((status) => status !== "429").length;
  const what = "goodput at twice the load ÷ best";
  return {
    verdicts: [
      { what, value: waiting, limit: 0.9, goal: 0.95, isGate: true, isAtLeast: true },
      {
        what: `${what}, processors full`,
        value: busy,
        limit: 0.5,
        goal: 0.9,
        isGate: false,
        isAtLeast: true,
      },
      { what: "statuses but 429 under overload", value: others, limit: 0, goal: 0, isGate: true },
    ],
    faults: await stage.stop({ whole }),
  };
}

function goodput({ replies, elapsedMs }: LoadResult): number {
  return (replies * 1_000) / elapsedMs;
}
