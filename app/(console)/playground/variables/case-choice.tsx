"use client";

import { readValues } from "@/components/playground/variables/fill-workbench";
import type { Workbench } from "@/components/playground/workbench";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { findVariableValue } from "@/lib/contract/calls/prompt-variables";
import type { PromptCase } from "@/lib/contract/operations/playground/prompts";

type CaseChoiceProps = {
  workbench: Workbench;
  store: WorkbenchStore;
  cases: readonly PromptCase[];
  /** The variables in the texts. */
  names: readonly string[];
};

/** Fills in the values of a saved case. Nothing if the prompt has no cases. */
export function CaseChoice({ workbench, store, cases, names }: CaseChoiceProps) {
  if (cases.length === 0) return null;
  const at = findCase(workbench, cases, names);
  return (
    <select
      aria-label="Values of"
      value={at ?? ""}
      onChange={({ target: { value } }) => {
        const variables = cases[Number(value)]?.variables;
        if (value !== "" && variables) store.change((before) => ({ ...before, variables }));
      }}
      className="field h-8 w-40 max-w-full text-sm pointer-coarse:h-11"
    >
      <option value="">Own values</option>
      {cases.map(({ variables }, index) => (
        <option key={index} value={index}>
          {nameCase(variables, names, index)}
        </option>
      ))}
    </select>
  );
}

/** Returns the index of the case whose values are filled in; null if there is none. */
export function findCase(
  workbench: Workbench,
  cases: readonly PromptCase[],
  names: readonly string[],
): number | null {
  const values = readValues(workbench);
  const isFilledIn = ({ variables }: PromptCase) =>
    names.every((name) => findVariableValue(values, name) === findVariableValue(variables, name));
  const at = names.length > 0 ? cases.findIndex(isFilledIn) : -1;
  return at < 0 ? null : at;
}

const MAX_NAME_LENGTH = 40;

function nameCase(variables: PromptCase["variables"], names: readonly string[], index: number): string {
  const values = names.flatMap((name) => findVariableValue(variables, name)?.trim() || []);
  const said = values
    .join(", ")
    .slice(0, MAX_NAME_LENGTH)
    .replace(/[\uD800-\uDBFF]$/, "");
  return said === "" ? `Case ${index + 1}` : `Case ${index + 1}: ${said}`;
}
