import { type LoadResult } from "./load";
import { cpuMicroseconds, type Program, residentMegabytes, startProgram } from "./program";
import { startMeasuredGateway } from "./start-measured-gateway";

// The gateway against a bare Bun proxy, on one machine and in one run: CPU of the server process for each reply, at
// saturation. `npm run bench -- --seconds 5 --rounds 5` measures longer.

const CONNECTIONS = 32;
const GATE = 3;
const WARM_UP_REPLIES = 60_000;
const WARM_UP_TIMES = 5;

interface Round {
  readonly cpuPerReply: number;
  readonly repliesPerSecond: number;
}

interface Target {
  readonly name: string;
  readonly program: Program;
  readonly key: string;
  replies: number;
}

const messages = [
  { role: "system", content: "You answer in one sentence." },
  { role: "user", content: "What does the first sentence of the novel say about the clocks?" },
];
const scenarios = [
  { name: "plain", body: JSON.stringify({ model: "bench", messages, max_tokens: 200 }) },
  {
    name: "stream of 50 chunks",
    body: JSON.stringify({ model: "bench", messages, max_tokens: 200, stream: true }),
  },
];

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const durationMs = option("seconds", 3) * 1_000;
const rounds = option("rounds", 3);

const provider = await startProgram("e2e/bench/fake-provider.ts");
const load = await startProgram("e2e/bench/load.ts");
const bareProgram = await startProgram("e2e/bench/bare-proxy.ts", { UPSTREAM: provider.ready.url });
const gateway = await startMeasuredGateway(provider.ready.url);
const bare: Target = { name: "bare proxy", program: bareProgram, key: "bench", replies: 0 };
const ours: Target = { name: "gatehouse", program: gateway.program, key: gateway.key, replies: 0 };

const results: ({ scenario: string } & ReturnType<typeof summarize>)[] = [];
for (const scenario of scenarios) {
  const measured: { bare: Round; ours: Round }[] = [];
  for (const target of [bare, ours]) await warmUp(target, scenario.body);
  for (let round = 0; round < rounds; round++) {
    measured.push({
      bare: await measure(bare, scenario.body, durationMs),
      ours: await measure(ours, scenario.body, durationMs),
    });
  }
  results.push({ scenario: scenario.name, ...summarize(measured) });
}
const residentMb = residentMegabytes(gateway.program.pid);
const faults = await gateway.stopAndCheck(ours.replies);
for (const program of [bareProgram, load, provider]) await program.stop();
report();

/** Until the compiler has done its work, or it has had time enough. */
async function warmUp(target: Target, body: string): Promise<void> {
  const enough = target.replies + WARM_UP_REPLIES;
  for (let times = 0; times < WARM_UP_TIMES && target.replies < enough; times++) {
    await measure(target, body, durationMs);
  }
}

async function measure(target: Target, body: string, ms: number): Promise<Round> {
  const { program, key } = target;
  const before = cpuMicroseconds(program.pid);
  load.send({ url: program.ready.url, key, body, connections: CONNECTIONS, durationMs: ms });
  const { replies, failures, elapsedMs } = await load.receive<LoadResult>();
  if (failures > 0)
    throw new Error(`${target.name}: ${failures} of ${replies + failures} replies were not whole 200s`);
  target.replies += replies;
  return {
    cpuPerReply: (cpuMicroseconds(program.pid) - before) / replies,
    repliesPerSecond: (replies * 1_000) / elapsedMs,
  };
}

function summarize(measured: readonly { bare: Round; ours: Round }[]) {
  return {
    bareCpuUs: median(measured.map(({ bare: { cpuPerReply } }) => cpuPerReply)),
    oursCpuUs: median(measured.map(({ ours: { cpuPerReply } }) => cpuPerReply)),
    ratio: median(measured.map((round) => round.ours.cpuPerReply / round.bare.cpuPerReply)),
    barePerSecond: median(measured.map(({ bare: { repliesPerSecond } }) => repliesPerSecond)),
    oursPerSecond: median(measured.map(({ ours: { repliesPerSecond } }) => repliesPerSecond)),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function report(): void {
  console.table(
    Object.fromEntries(
      results.map(({ scenario, bareCpuUs, oursCpuUs, ratio, barePerSecond, oursPerSecond }) => [
        scenario,
        {
          "bare µs CPU": Number(bareCpuUs.toFixed(1)),
          "ours µs CPU": Number(oursCpuUs.toFixed(1)),
          ratio: Number(ratio.toFixed(2)),
          "bare /s": Math.round(barePerSecond),
          "ours /s": Math.round(oursPerSecond),
        },
      ]),
    ),
  );
  const plainRatio = results[0]?.ratio ?? Number.NaN;
  console.log(
    JSON.stringify({ connections: CONNECTIONS, rounds, results, residentMb, replies: ours.replies, faults }),
  );
  for (const fault of faults) console.log(`The ledger is wrong: ${fault}.`);
  if (!(plainRatio <= GATE))
    console.log(
      `A plain call costs ${plainRatio.toFixed(2)} × the bare proxy; at most ${GATE} × is let through.`,
    );
  process.exitCode = faults.length === 0 && plainRatio <= GATE ? 0 : 1;
}
