import type { LoadOrder, LoadResult } from "./load";
import { startProgram } from "./program";
import { plainBody } from "./scenarios";
import { startMeasuredGateway } from "./start-measured-gateway";

// Offers the gateway twice what it can do, and compares what it still does with its best: `npm run bench:overload`.
// Beyond its concurrency cap it refuses at once, so the work it has taken on gets done.

const GATE = 0.9;
const CAP = 64;
const DURATION_MS = 3_000;
const ROUNDS = 3;

const provider = await startProgram("e2e/bench/fake-provider.ts");
const load = await startProgram("e2e/bench/load.ts");
const gateway = await startMeasuredGateway(provider.ready.url, {
  GATEHOUSE_MAX_CONCURRENT_REQUESTS: String(CAP),
});
const headers = { "content-type": "application/json", authorization: `Bearer ${gateway.key}` };
let replies = 0;

async function offer(perSecond?: number): Promise<LoadResult> {
  const order = { url: gateway.program.ready.url, headers, body: plainBody, durationMs: DURATION_MS };
  load.send({ ...order, connections: CAP, perSecond } satisfies LoadOrder);
  const result = await load.receive<LoadResult>();
  replies += result.replies;
  return result;
}

const goodput = ({ replies: good, elapsedMs }: LoadResult) => (good * 1_000) / elapsedMs;
const middle = (values: number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

await offer();
const rows: { peak: number; offered: number; overloaded: number; share: number }[] = [];
const refusals = new Set<string>();
for (let round = 0; round < ROUNDS; round++) {
  const peak = goodput(await offer());
  const result = await offer(2 * peak);
  for (const status of Object.keys(result.failures)) refusals.add(status);
  const overloaded = goodput(result);
  const refused = Object.values(result.failures).reduce((sum, times) => sum + times, 0);
  const offered = ((result.replies + refused) * 1_000) / result.elapsedMs;
  rows.push({
    peak: Math.round(peak),
    offered: Math.round(offered),
    overloaded: Math.round(overloaded),
    share: overloaded / peak,
  });
}
const faults = await gateway.stopAndCheck(replies);
for (const program of [load, provider]) await program.stop();

console.table(rows);
const share = middle(rows.map((row) => row.share));
const isGood = share >= GATE && faults.length === 0 && [...refusals].every((status) => status === "429");
console.log(`At twice its sustainable load it does ${(share * 100).toFixed(0)} % of its best (gate 90 %).`);
console.log(`What it refused: ${[...refusals].join(", ") || "nothing"}.`);
for (const fault of faults) console.log(`The ledger is wrong: ${fault}.`);
process.exitCode = isGood ? 0 : 1;
