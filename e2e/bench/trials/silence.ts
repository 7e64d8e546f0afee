import { startBenchStage } from "../start-stage";
import { streamBody } from "../workloads";
import type { TrialResult } from "./trial-result";

const STREAMS = 8;

/**
 * A provider that pauses for 14 s during its streams, like a model that thinks; servers usually time out after 10 s.
 */
export async function trySilence(): Promise<TrialResult> {
  const stage = await startBenchStage();
  const { replies, latencyMs } = await stage.offer({
    body: streamBody("[silent]"),
    connections: STREAMS,
    durationMs: 0,
  });
  console.log(`The streams took ${(latencyMs.p50 / 1_000).toFixed(1)} s.`);
  const what = `of ${STREAMS} streams, whole after 14 s of silence`;
  return {
    verdicts: [{ what, value: replies, limit: STREAMS, goal: STREAMS, isGate: true, isAtLeast: true }],
    faults: await stage.stop({ whole: replies }),
  };
}
