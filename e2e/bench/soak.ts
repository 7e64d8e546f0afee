import type { LoadOrder, LoadResult } from "./load";
import { residentMegabytes, startProgram } from "./program";
import { plainBody } from "./scenarios";
import { startMeasuredGateway } from "./start-measured-gateway";

// 300,000 calls at saturation, and the memory they leave: `npm run bench:soak`.

const CALLS = 300_000;
const GATE_MB = 120;
const SLICE_MS = 5_000;

const provider = await startProgram("e2e/bench/fake-provider.ts");
const load = await startProgram("e2e/bench/load.ts");
const gateway = await startMeasuredGateway(provider.ready.url);
const headers = { "content-type": "application/json", authorization: `Bearer ${gateway.key}` };
let replies = 0;
let nextReport = 0;
while (replies < CALLS) {
  const order = { url: gateway.program.ready.url, headers, body: plainBody, connections: 32 };
  load.send({ ...order, durationMs: SLICE_MS } satisfies LoadOrder);
  const result = await load.receive<LoadResult>();
  const failed = Object.entries(result.failures);
  if (failed.length > 0) throw new Error(`Replies were no whole 200s: ${JSON.stringify(failed)}`);
  replies += result.replies;
  if (replies < nextReport) continue;
  console.log(`${replies} calls: ${residentMegabytes(gateway.program.pid)} MB`);
  nextReport += 50_000;
}
const residentMb = residentMegabytes(gateway.program.pid);
const faults = await gateway.stopAndCheck(replies);
for (const program of [load, provider]) await program.stop();
for (const fault of faults) console.log(`The ledger is wrong: ${fault}.`);
console.log(`${residentMb} MB after ${replies} calls (gate ${GATE_MB} MB, goal 80 MB).`);
process.exitCode = faults.length === 0 && residentMb <= GATE_MB ? 0 : 1;
