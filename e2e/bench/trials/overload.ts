import type { LoadResult } from "../load";
import { median } from "../measure";
import { plainBody } from "../scenarios";
import { startStage } from "../start-stage";
import type { TrialResult } from "./trial-result";

const CAP = 64;
const DURATION_MS = 3_000;
const ROUNDS = 3;

/** Twice what the gateway can do, and what it still does: beyond its cap it refuses at once, so what it took on gets done. */
export async function tryOverload(): Promise<TrialResult> {
  const stage = await startStage({ GATEHOUSE_MAX_CONCURRENT_REQUESTS: String(CAP) });
  let whole = 0;
  const offer = async (perSecond?: number) => {
    const result = await stage.offer({
      body: plainBody,
      connections: CAP,
      durationMs: DURATION_MS,
      perSecond,
    });
    whole += result.replies;
    return result;
  };
  await offer();
  const shares: number[] = [];
  const refusals = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const peak = goodput(await offer());
    const overloaded = await offer(2 * peak);
    for (const status of Object.keys(overloaded.failures)) refusals.add(status);
    shares.push(goodput(overloaded) / peak);
    console.log(`${Math.round(goodput(overloaded))}/s at twice the load, ${Math.round(peak)}/s at its best`);
  }
  const others = [...refusals].filter((status) => status !== "429");
  const faults = await stage.stop({ whole });
  return {
    verdicts: [
      {
        what: "goodput at twice the load ÷ best",
        value: median(shares),
        limit: 0.9,
        goal: 1,
        isGate: true,
        isAtLeast: true,
      },
      { what: "statuses but 429 under overload", value: others.length, limit: 0, goal: 0, isGate: true },
    ],
    faults,
  };
}

function goodput({ replies, elapsedMs }: LoadResult): number {
  return (replies * 1_000) / elapsedMs;
}
