import { writeFileSync } from "node:fs";
import type { Figures } from "../measure";
import type { Options } from "../options";
import { isMissed, judge, toTableRow, type Verdict } from "./verdicts";

/** All results of a run. */
interface Outcome {
  readonly machine: object;
  readonly options: Options;
  readonly figures: readonly Figures[];
  readonly tried: readonly Verdict[];
  /** The faults found in the ledgers. */
  readonly faults: readonly string[];
}

/**
 * Prints the verdicts and the line of JSON.
 * @returns whether the run passes.
 */
export function report({ machine, options, figures, tried, faults }: Outcome): boolean {
  const verdicts = [...judge(figures), ...tried];
  if (verdicts.length > 0) {
    console.log(
      "\nA missed gate fails the run; what is expected depends on the machine and on who shares it.",
    );
    console.table(verdicts.map(toTableRow));
  }
  // Failures of the peer don't void the run, all others do.
  const voids = figures
    .filter(({ target, voidBy }) => voidBy !== null && target !== "portkey")
    .map(({ workload, target, voidBy }) => `The run is void: ${workload} of ${target}, ${voidBy}.`);
  const wrong = faults.map((fault) => `The ledger is wrong: ${fault}.`);
  const missed = verdicts.filter(isMissed).map(({ what }) => `A gate is missed: ${what}.`);
  const failures = [...voids, ...wrong, ...missed];
  const holds = "Each reply has its one charge, the ledgers are sound, and no gate is missed.";
  console.log(failures.join("\n") || holds);
  const json = JSON.stringify({ machine, options, figures, verdicts, failures });
  console.log(json);
  if (options.jsonFile) writeFileSync(options.jsonFile, json);
  return failures.length === 0;
}
