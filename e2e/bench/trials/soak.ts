import { residentMegabytes } from "../../support/programs/process-memory";
import { startBenchStage } from "../start-stage";
import { plainBody } from "../workloads";
import type { TrialResult } from "./trial-result";

const CALLS = 300_000;
const SLICE_MS = 5_000;
const REST_MS = 10_000;

/** Makes 300,000 calls at saturation and measures the gateway's memory afterwards. */
export async function trySoak(): Promise<TrialResult> {
  const stage = await startBenchStage();
  let whole = 0;
  let nextReport = 50_000;
  console.log(`Before: ${residentMegabytes(stage.pid)} MB`);
  while (whole < CALLS) {
    const { replies, failures } = await stage.offer({
      body: plainBody,
      connections: 32,
      durationMs: SLICE_MS,
    });
    const failed = Object.entries(failures);
    if (failed.length > 0) throw new Error(`Replies were no whole 200s: ${JSON.stringify(failed)}`);
    whole += replies;
    if (whole < nextReport) continue;
    console.log(`${whole} calls: ${residentMegabytes(stage.pid)} MB`);
    nextReport += 50_000;
  }
  const value = residentMegabytes(stage.pid);
  await Bun.sleep(REST_MS);
  console.log(`After ${REST_MS / 1_000} s of rest: ${residentMegabytes(stage.pid)} MB`);
  const faults = await stage.stop({ whole });
  return {
    verdicts: [{ what: "memory after 300,000 calls, MB", value, limit: 120, goal: 80, isGate: true }],
    faults,
  };
}
