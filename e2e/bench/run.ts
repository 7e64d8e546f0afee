import { type Figures, measureWorkload, warmUp } from "./measure";
import { type Options, readOptions } from "./options";
import { describeMachine } from "./report/describe-machine";
import { formatFiguresTable } from "./report/format-figures-table";
import { report } from "./report/report";
import type { Verdict } from "./report/verdicts";
import { startTargets } from "./targets";
import { type Trial, trials } from "./trials";
import { formatWorkload, type Workload, workloads } from "./workloads";

// Compares one fake provider called directly, through a bare Bun proxy, through the gateway with everything on, and
// through Portkey's gateway. `npm run bench -- --all`, `--only "plain, 32"`, `--seconds 3 --rounds 5 --json FILE`.
// Rounds in which other programs took more than half a core are dropped, unless `--any-noise` is given.

const options = readOptions(process.argv.slice(2));
const chosen = workloads.filter((workload) =>
  options.only ? formatWorkload(workload).startsWith(options.only) : options.isAll || workload.isUsual,
);
const chosenTrials = trials.filter(({ name, isAlone }) =>
  options.only ? name.startsWith(options.only) : options.isAll && !isAlone,
);
if (chosen.length + chosenTrials.length === 0) {
  const names = [...workloads.map(formatWorkload), ...trials.map(({ name }) => name)].join("; ");
  console.log(`No workload's name begins with "${options.only}". There are: ${names}.`);
  process.exit(1);
}

const machine = await describeMachine();
console.log(`${machine.processors}, Bun ${machine.bun}, Portkey under Node ${machine.node ?? "(none)"}`);
if (!machine.hasCompiledLoad)
  console.log(
    "There is no C compiler: the load is a Bun program, and what is measured waits for it at times.",
  );
console.log(`One fdatasync of 4 KiB takes ${machine.fdatasyncUs} µs on this disk.`);
const measured = chosen.length === 0 ? { figures: [], faults: [] } : await measureAll(chosen, options);
const tried = await tryAll(chosenTrials);
const faults = [...measured.faults, ...tried.faults];
const holds = report({ machine, options, figures: measured.figures, tried: tried.verdicts, faults });
process.exitCode = holds ? 0 : 1;

async function measureAll(list: readonly Workload[], effort: Options) {
  const figures: Figures[] = [];
  const targets = await startTargets();
  for (const reason of targets.absent) console.log(reason);
  let warmed = "";
  for (const workload of list) {
    if (workload.name !== warmed) await warmUp(targets, workload, effort.durationMs);
    warmed = workload.name;
    const rows = await measureWorkload(targets, workload, effort);
    figures.push(...rows);
    console.log(`\n${formatWorkload(workload)}`);
    console.table(formatFiguresTable(workload, rows));
  }
  return { figures, faults: await targets.stop() };
}

async function tryAll(list: readonly Trial[]) {
  const all: { verdicts: Verdict[]; faults: string[] } = { verdicts: [], faults: [] };
  for (const { name, run } of list) {
    console.log(`\n${name}`);
    const result = await run();
    all.verdicts.push(...result.verdicts);
    all.faults.push(...result.faults.map((fault) => `${name}: ${fault}`));
  }
  return all;
}
