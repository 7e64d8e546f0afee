import { mapLimits } from "@/lib/contract/calls/rate-limit-table";
import { SpendTracker } from "@/lib/gateway/ledger/spend-limits/spend-tracker";
import type { AdmissionRequest } from "@/lib/gateway/rate-limits/admissions";
import { EmbeddedAdmissions } from "@/lib/gateway/rate-limits/embedded-admissions";
import { seededRandom } from "@/lib/gateway/simulation/seeded-random";
import { simulatedRuntime } from "@/lib/gateway/simulation/simulated-runtime";
import { toNano } from "@/lib/money/amount";
import { residentMegabytes } from "../support/programs/process-memory";

// Measures admission where every project has used every model all day and throughout the last minute: the time per call
// and the memory in all.

const PROJECTS = 100;
const MODELS = 100;
const ROUNDS = 20;
const CALLS_A_ROUND = 100_000;
/** Calls that are admitted before the first of them ends, like calls in flight. */
const BATCH_SIZE = 1_000;
const USED_TOKENS = 180;
const GATE_US = 2;
const GATE_MB = 100;

const { clock, pass } = simulatedRuntime();
const { pick } = seededRandom(1);
const limits = mapLimits(() => 1_000_000_000);
const price = {
  inputPer1m: toNano(150_000_000n),
  outputPer1m: toNano(600_000_000n),
  rate: toNano(1_000_000_000n),
};
const projectIds = names("proj", PROJECTS);
const models = names("model", MODELS);

const before = measureCollected();
const funds = { available: toNano(9_000_000_000_000_000_000n) };
const spend = new SpendTracker({ limits: [], spent: [], nowMs: clock.nowMs() });
const settings = { clock, currency: "USD", maxConcurrentRequests: 100_000 };
const admissions = new EmbeddedAdmissions(funds, spend, settings);
const charge = toNano(100_000n);

for (let slot = 0; slot < 300; slot++) callAll(288_000);
for (let slot = 0; slot < 128; slot++) callAll(500);
// Freed memory is returned to the system after a moment.
Bun.gc(true);
await Bun.sleep(2_000);
const megabytes = measureCollected() - before;

const admitting: number[] = [];
const ending: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  let [admitMs, endMs] = [0, 0];
  for (let done = 0; done < CALLS_A_ROUND; done += BATCH_SIZE) {
    const chosen = Array.from({ length: BATCH_SIZE }, () => buildRequest(pick(projectIds), pick(models)));
    const startedAt = performance.now();
    const admitted = chosen.map((request) => admissions.admit(request));
    const admittedAt = performance.now();
    for (const admission of admitted) admissions.settle(admission, USED_TOKENS, charge);
    admitMs += admittedAt - startedAt;
    endMs += performance.now() - admittedAt;
    pass(10);
  }
  admitting.push((admitMs * 1_000) / CALLS_A_ROUND);
  ending.push((endMs * 1_000) / CALLS_A_ROUND);
}

// The fastest round is the one that other programs disturbed least.
const microseconds = Math.min(...admitting);
console.log(`${(PROJECTS * MODELS).toLocaleString("en")} pairs of project and model, each with traffic`);
console.log(`one admission      ${microseconds.toFixed(2)} µs  (at most ${GATE_US})`);
console.log(`one settlement     ${Math.min(...ending).toFixed(2)} µs`);
console.log(`memory of all     ${megabytes.toFixed(0).padStart(5)} MB  (at most ${GATE_MB})`);
if (microseconds > GATE_US || megabytes > GATE_MB) {
  console.error("Admission is beyond its gate.");
  process.exitCode = 1;
}

function callAll(everyMs: number): void {
  for (const projectId of projectIds) {
    for (const model of models)
      admissions.settle(admissions.admit(buildRequest(projectId, model)), USED_TOKENS, charge);
  }
  pass(everyMs);
}

function buildRequest(projectId: string, model: string): AdmissionRequest {
  const sizes = { promptTokens: 120, maxOutputTokens: 800, expectedOutputTokens: 200, choices: 1 };
  return { projectId, keyId: projectId, model, limits, price, ...sizes };
}

/** Returns at least one name. */
function names(prefix: string, count: number): [string, ...string[]] {
  return [`${prefix}_0`, ...Array.from({ length: count - 1 }, (_, index) => `${prefix}_${index + 1}`)];
}

function measureCollected(): number {
  Bun.gc(true);
  return residentMegabytes(process.pid);
}
