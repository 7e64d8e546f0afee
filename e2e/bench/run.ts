import { writeFileSync } from "node:fs";
import { judge } from "./gates";
import { type Figures, measureScenario, warmUp } from "./measure";
import { measureFdatasync } from "./measure-fdatasync";
import { scenarios, titleOf } from "./scenarios";
import { startTargets } from "./targets";

// One machine, one run, one fake provider: called directly, through a bare Bun proxy, through the gateway with everything
// on, and through Portkey's gateway. `npm run bench -- --seconds 3 --rounds 5 --only "plain, 32 conn" --all --json FILE`.

const option = (name: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const durationMs = Number(option("seconds") ?? 1.5) * 1_000;
const rounds = Number(option("rounds") ?? 3);
const only = option("only");
const isAll = process.argv.includes("--all");
const chosen = scenarios.filter((scenario) =>
  only ? titleOf(scenario).startsWith(only) : isAll || scenario.isUsual,
);
if (chosen.length === 0) {
  console.log(`There is no scenario "${only}". There are: ${scenarios.map(titleOf).join("; ")}.`);
  process.exit(1);
}

const targets = await startTargets();
for (const reason of targets.absent) console.log(reason);
const figures: Figures[] = [];
let warmed = "";
for (const scenario of chosen) {
  if (scenario.name !== warmed) {
    for (let times = 0; times < 2; times++)
      await warmUp(targets, { ...scenario, connections: 32 }, durationMs);
    warmed = scenario.name;
  }
  const rows = await measureScenario(targets, scenario, { rounds, durationMs });
  figures.push(...rows);
  console.log(`\n${titleOf(scenario)}`);
  console.table(Object.fromEntries(rows.map((row) => [row.target, columnsOf(row)])));
}
const faults = await targets.stop();
report();

function columnsOf(row: Figures) {
  const ms = (value: number) => Number(value.toFixed(2));
  if (row.voidBy) return { "CPU µs": `void: ${row.voidBy}` };
  return {
    "CPU µs": Number(row.cpuUs.toFixed(1)),
    "÷ bare": Number(row.cpuRatio.toFixed(2)),
    "per second": Math.round(row.perSecond),
    "p50 ms": ms(row.p50),
    "p99 ms": ms(row.p99),
    "p99.9 ms": ms(row.p999),
    "added p50": ms(row.addedP50),
    "added p99": ms(row.addedP99),
    "RSS MB": row.residentMb,
  };
}

function report(): void {
  const fdatasyncUs = measureFdatasync();
  const gates = judge(figures);
  console.log(`\nOne fdatasync of 4 KiB takes ${fdatasyncUs.toFixed(0)} µs on this disk.`);
  for (const { what, value, gate, goal, holds } of gates) {
    console.log(`${holds ? "ok  " : "MISS"} ${what}: ${value.toFixed(2)} (gate ${gate}, goal ${goal})`);
  }
  // The peer's failures are its own; everyone else's void the run.
  const voided = figures.filter(({ target, voidBy }) => voidBy !== null && target !== "portkey");
  for (const { scenario, target, voidBy } of voided) console.log(`${scenario}: ${target} failed: ${voidBy}`);
  for (const fault of faults) console.log(`The ledger is wrong: ${fault}.`);
  if (faults.length === 0) console.log("The ledger has one charge for each reply, and its sums are exact.");
  const json = JSON.stringify({ rounds, durationMs, fdatasyncUs, figures, gates, faults });
  const file = option("json");
  if (file) writeFileSync(file, json);
  else console.log(json);
  process.exitCode = faults.length === 0 && voided.length === 0 && gates.every(({ holds }) => holds) ? 0 : 1;
}
