import { parseArgs } from "node:util";
import { runScenario } from "./scenario";
import { scenarioGroups, scenarios } from "./scenarios";

// The fault harness. `npm run chaos -- last-cent --seed 7` repeats one scenario, `-- attacks` runs one group, and
// `--smoke` runs all of them in small.

const { values, positionals } = parseArgs({
  options: { seed: { type: "string" }, smoke: { type: "boolean", default: false } },
  allowPositionals: true,
});
const seed =
  values.seed === undefined ? (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) : Number(values.seed);
const wanted = new Set(
  positionals.flatMap((name) => scenarioGroups[name]?.map((scenario) => scenario.name) ?? name),
);
const unknown = [...wanted].filter((name) => !scenarios.some((scenario) => scenario.name === name));
if (unknown.length > 0 || !Number.isSafeInteger(seed)) {
  for (const [group, grouped] of Object.entries(scenarioGroups)) {
    console.error(`${group}: ${grouped.map(({ name }) => name).join(", ")}`);
  }
  console.error("Name scenarios or groups of them. A seed is a whole number.");
  process.exit(2);
}

const SHOWN_FAULTS = 10;
console.log(`seed ${seed}`);
const failed: string[] = [];
const chosen = scenarios.filter(
  ({ name, smoke }) => (positionals.length === 0 || wanted.has(name)) && !(values.smoke && smoke === 0),
);
for (const scenario of chosen) {
  const startedAt = performance.now();
  const { faults, figures } = await runScenario(scenario, { seed, isSmoke: values.smoke });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const size = values.smoke ? scenario.smoke : scenario.full;
  if (faults.length > 0) failed.push(scenario.name);
  console.log(`\n${faults.length === 0 ? "pass" : "FAIL"}  ${scenario.name} (${seconds} s)`);
  console.log(`      ${scenario.does.replace("{size}", size.toLocaleString("en"))}`);
  console.log(
    `      ${Object.entries(figures)
      .map(([name, figure]) => `${name} ${figure}`)
      .join(" · ")}`,
  );
  for (const fault of faults.slice(0, SHOWN_FAULTS)) console.log(`      - ${fault}`);
  if (faults.length > SHOWN_FAULTS) console.log(`      and ${faults.length - SHOWN_FAULTS} more`);
}
if (failed.length > 0) {
  console.log(
    `\nAgain: npm run chaos -- ${failed.join(" ")} --seed ${seed}${values.smoke ? " --smoke" : ""}`,
  );
  process.exitCode = 1;
}
