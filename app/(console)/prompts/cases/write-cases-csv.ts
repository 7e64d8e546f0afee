import { findVariableValue } from "@/lib/contract/calls/prompt-variables";
import { writeCsvLine } from "@/lib/contract/csv";
import { CHECK, type CheckType, type CsvCase, checkTypeNames, type TypedCheck } from "./case-values";

/** Writes cases as a CSV that `planCases` can read, with a column for each check. */
export function writeCasesCsv(cases: readonly CsvCase[], names: readonly string[]): string {
  const variables = [...new Set([...names, ...cases.flatMap((one) => Object.keys(one.variables))])];
  const checks = checkTypeNames.flatMap((type) => {
    const most = Math.max(0, ...cases.map((one) => filterChecks(one, type).length));
    return Array.from({ length: most }, (_, index) => ({ type, index }));
  });
  const lines = cases.map((one) => [
    ...variables.map((name) => findVariableValue(one.variables, name) ?? ""),
    ...checks.map(({ type, index }) => filterChecks(one, type)[index]?.value ?? ""),
  ]);
  return [[...variables, ...checks.map(({ type }) => CHECK + type)], ...lines].map(writeCsvLine).join("");
}

function filterChecks({ checks }: CsvCase, asked: CheckType): readonly TypedCheck[] {
  return checks.filter(({ type }) => type === asked);
}
