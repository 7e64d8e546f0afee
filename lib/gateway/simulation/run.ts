import { parseArgs } from "node:util";
import { simulateBatches } from "./batches/simulate-batches";
import { simulate } from "./simulate";
import { simulateTasks } from "./tasks/simulate-tasks";

// `npm run simulate -- --seeds 10000` runs that many seeds; `--seed 7` runs one and prints its steps. `--tasks` and
// `--batches` simulate those instead of calls and run fewer seeds by default, since each has its store in a file.

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    seed: { type: "string" },
    tasks: { type: "boolean", default: false },
    batches: { type: "boolean", default: false },
  },
});
/** The simulations of work in the background, which return how much of it there was. */
const background = values.tasks
  ? { flag: "--tasks", noun: "tasks", run: simulateTasks }
  : values.batches
    ? { flag: "--batches", noun: "lines", run: simulateBatches }
    : null;
const count = values.seed === undefined ? Number(values.seeds ?? (background ? 300 : 10_000)) : 1;
const first =
  values.seed === undefined ? (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) : Number(values.seed);
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(first)) {
  console.error("Seeds are whole numbers: --seeds <how many> or --seed <one>.");
  process.exit(2);
}

const sum = { background: 0, steps: 0, twoProcessSteps: 0, letThrough: 0, charged: 0, interrupted: 0 };
const startedAt = performance.now();
for (let seed = first; seed < first + count; seed++) {
  try {
    if (background) {
      sum.background += await background.run(seed);
      continue;
    }
    const { steps, processes, letThrough, charged, interrupted } = await simulate(seed);
    sum.steps += steps;
    if (processes === 2) sum.twoProcessSteps += steps;
    sum.letThrough += letThrough;
    sum.charged += charged;
    sum.interrupted += interrupted;
  } catch {
    await show(seed);
    process.exit(1);
  }
}
const minutes = (performance.now() - startedAt) / 60_000;
if (values.seed !== undefined) await show(first);
else {
  console.log(`seeds ${first} to ${first + count - 1}: every invariant held after every step`);
  if (background) console.log(`${sum.background.toLocaleString("en")} ${background.noun}`);
  else
    console.log(
      `${sum.steps.toLocaleString("en")} steps, ${sum.twoProcessSteps.toLocaleString("en")} of them by two processes, ${sum.letThrough} calls let through, ${sum.charged} charged, ${sum.interrupted} of them interrupted`,
    );
  console.log(`${Math.round(count / minutes).toLocaleString("en")} seeds a minute`);
}

/** Runs a seed again, which takes the same steps, and prints them. */
async function show(seed: number): Promise<void> {
  console.log(`seed ${seed}`);
  try {
    await (background?.run ?? simulate)(seed, (what) => console.log(`  ${what}`));
    console.log("every invariant held after every step");
  } catch (error) {
    console.log(`\nBroken: ${error instanceof Error ? error.message : String(error)}`);
    console.log(`Again: npm run simulate --${background ? ` ${background.flag}` : ""} --seed ${seed}`);
  }
}
