import { residentMegabytes } from "../../support/programs/process-memory";
import { CallConnection, formatHttpRequest } from "../load/call-connection";
import { startBenchStage } from "../start-stage";
import { plainBody, streamBody } from "../workloads";
import type { TrialResult } from "./trial-result";

const READERS = 4;
const FILL_MS = 2_000;
const WATCHED_MS = 2_000;
const TIMEOUT_MS = 2_000;

/** Endless streams to clients that read nothing: their memory must stay within the buffers on the way. */
export async function tryUnreadStream(): Promise<TrialResult> {
  const stage = await startBenchStage();
  const takenMb = async () => (await stage.countStreams()).floodedBytes / 1024 / 1024;
  const { replies } = await stage.offer({ body: plainBody, connections: 1, durationMs: 0 });
  const before = residentMegabytes(stage.pid);
  let most = before;
  const watch = async (durationMs: number) => {
    for (let watched = 0; watched < durationMs; watched += 20) {
      await Bun.sleep(20);
      most = Math.max(most, residentMegabytes(stage.pid));
    }
    return takenMb();
  };
  const request = formatHttpRequest({ ...stage, body: streamBody("[endless]") });
  const readers = await Promise.all(Array.from({ length: READERS }, () => CallConnection.open(stage.url)));
  for (const reader of readers) {
    void reader.call(request);
    reader.pause();
  }
  const filled = await watch(FILL_MS);
  const taken = await watch(WATCHED_MS);
  console.log(`${READERS} clients that read nothing took ${taken.toFixed(0)} MB from the provider.`);

  for (const reader of readers) reader.close();
  let stopped = 0;
  for (let waited = 0; stopped < READERS && waited < TIMEOUT_MS; waited += 10) {
    await Bun.sleep(10);
    stopped = (await stage.countStreams()).canceled;
  }
  return {
    verdicts: [
      { what: "memory for 4 unread streams, MB", value: most - before, limit: 64, goal: 48, isGate: true },
      {
        what: "still taken of them once the buffers are full, MB",
        value: taken - filled,
        limit: 1,
        goal: 0,
        isGate: true,
      },
      {
        what: "of them, stopped when their clients left",
        value: stopped,
        limit: READERS,
        goal: READERS,
        isGate: true,
        isAtLeast: true,
      },
    ],
    faults: await stage.stop({ whole: replies, left: readers.map(() => 0) }),
  };
}
