"use client";

import { useId } from "react";
import { listWorkbenchVariables, readValues } from "@/components/playground/variables/fill-workbench";
import type { Workbench } from "@/components/playground/workbench";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { useEarlyEntry } from "@/components/ui/fields/use-early-entry";
import { formatCount } from "@/components/ui/values/group-digits";
import { MAX_VALUE_LENGTH } from "@/lib/contract/bounds";
import { findVariableValue } from "@/lib/contract/calls/prompt-variables";
import type { PromptCase } from "@/lib/contract/operations/playground/prompts";

type VariablesPanelProps = {
  workbench: Workbench;
  store: WorkbenchStore;
  /** The cases of the open prompt, whose values can be used. */
  cases: readonly PromptCase[];
};

/** A template of a web page can contain hundreds. */
const MAX_SHOWN = 30;

/** A field for each variable in the texts. Nothing if there is none. */
export function VariablesPanel({ workbench, store, cases }: VariablesPanelProps) {
  const id = useId();
  const names = listWorkbenchVariables(workbench);
  if (names.length === 0) return null;
  const values = readValues(workbench);
  const left = names.length - MAX_SHOWN;
  function change(name: string, value: string) {
    store.change((before) => {
      const { [name]: _, ...others } = readValues(before);
      return { ...before, variables: value === "" ? others : { ...others, [name]: value } };
    });
  }
  return (
    <section aria-labelledby={id} className="grid gap-2.5">
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
        <h2 id={id} className="text-sm font-medium">
          Variables
        </h2>
        <CaseChoice {...{ workbench, store, cases, names }} />
      </div>
      {names.slice(0, MAX_SHOWN).map((name) => (
        <VariableField
          key={name}
          name={name}
          value={findVariableValue(values, name)}
          change={(value) => change(name, value)}
        />
      ))}
      {left > 0 && (
        <p className="text-sm text-muted">
          {formatCount(left)} more without a field. Cases of a saved prompt can fill them in.
        </p>
      )}
    </section>
  );
}

type VariableFieldProps = { name: string; value: string | undefined; change: (value: string) => void };

function VariableField({ name, value, change }: VariableFieldProps) {
  const id = useId();
  useEarlyEntry(id, change);
  return (
    <div className="grid gap-1">
      <label
        htmlFor={id}
        className="w-fit max-w-full rounded-sm bg-accent/10 px-1 font-mono text-sm wrap-anywhere text-accent-text"
      >
        {`{{${name}}}`}
      </label>
      <textarea
        id={id}
        value={value ?? ""}
        rows={1}
        maxLength={MAX_VALUE_LENGTH}
        placeholder={value === "" ? "Empty" : "No value: sent as written"}
        onChange={(event) => change(event.target.value)}
        className="field field-sizing-content max-h-48 min-h-9 py-1.5 text-sm pointer-coarse:min-h-11"
      />
    </div>
  );
}

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
