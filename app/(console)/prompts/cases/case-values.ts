import { newLocalId } from "@/components/playground/panes/pane";
import { parseWhole } from "@/components/playground/settings";
import { describeCheck } from "@/components/prompts/check-answer";
import { MAX_CASES, MAX_VALUE_LENGTH } from "@/lib/contract/bounds";
import { isObject, parseJson } from "@/lib/contract/json-value";
import type { PromptCase, PromptCheck } from "@/lib/contract/operations/playground/prompts";

/** Label and field hint of each check type, and what an invalid value lacks. */
export const checkTypes = {
  contains: {
    label: "Contains",
    hint: "Text that the answer has to contain",
    fault: "Enter the text to look for.",
  },
  equals: { label: "Equals", hint: "The whole answer", fault: "Enter the expected text." },
  matches: {
    label: "Matches",
    hint: "A regular expression in RE2’s syntax",
    fault: "Enter a regular expression.",
  },
  json_schema: {
    label: "JSON schema",
    hint: '{"type": "object", …}',
    fault: "Enter a JSON schema: an object.",
  },
  cost_below: { label: "Cost below", hint: "0.01", fault: "Enter an amount above 0, such as 0.01." },
  latency_below: {
    label: "Duration below",
    hint: "Milliseconds, such as 2,000",
    fault: "Enter a whole number from 1 to 3,600,000.",
  },
} as const satisfies Record<PromptCheck["type"], { label: string; hint: string; fault: string }>;

export type CheckType = PromptCheck["type"];
export const checkTypeNames = Object.keys(checkTypes) as [CheckType, ...CheckType[]];

export type TypedCheck = { type: CheckType; value: string };

/** A case as it is typed. The schema is in another file, which is loaded after the form. */
export type TypedCase = {
  /** Identifies a case while it is edited. */
  key: string;
  variables: Record<string, string>;
  checks: TypedCheck[];
};
export type TypedCases = { cases: TypedCase[] };

/** A row: the values of its variables, and its checks as typed. */
export interface CsvCase {
  readonly variables: Readonly<Record<string, string>>;
  readonly checks: readonly TypedCheck[];
}

/** Marks a column of checks, as in `check:contains`. No variable's name has a colon. */
export const CHECK = "check:";

export function toTypedCases({ cases }: { cases: readonly PromptCase[] }): TypedCases {
  return {
    cases: cases.map(({ variables, checks }, index) => ({
      key: String(index + 1),
      variables,
      checks: checks.map(typeCheck),
    })),
  };
}

/** Converts the cases of a valid form. */
export function toPromptCases({ cases }: TypedCases): PromptCase[] {
  return cases.map(({ variables, checks }) => ({
    variables,
    checks: checks.map((check) => buildCheck(check) as PromptCheck),
  }));
}

function typeCheck(check: PromptCheck): TypedCheck {
  const { type } = check;
  switch (type) {
    case "contains":
    case "equals":
      return { type, value: check.text };
    case "matches":
      return { type, value: check.pattern };
    case "json_schema":
      return { type, value: JSON.stringify(check.schema) };
    case "cost_below":
      return { type, value: check.amount };
    case "latency_below":
      return { type, value: String(check.ms) };
  }
}

/** The check as it is sent, which may not be valid. */
export function buildCheck({ type, value }: TypedCheck): object {
  switch (type) {
    case "contains":
    case "equals":
      return { type, text: value };
    case "matches":
      return { type, pattern: value };
    case "json_schema": {
      const schema = parseJson(value);
      return { type, schema: isObject(schema) ? schema : null };
    }
    case "cost_below":
      return { type, amount: value.trim() };
    case "latency_below":
      return { type, ms: parseWhole(value) };
  }
}

/** Describes cases as text, one per line, for the conflict dialog. */
export function describeCases(cases: unknown): string {
  if (!Array.isArray(cases)) return "";
  return toPromptCases({ cases: cases as TypedCase[] })
    .map(({ variables, checks }, index) => {
      const values = Object.entries(variables).map(([name, value]) => `${name} = ${value.slice(0, 80)}`);
      return `${index + 1}. ${[...values, ...checks.map(describeCheck)].join("; ") || "no values"}`;
    })
    .join("\n");
}

/** The cells of text that a spreadsheet copies; null for text of one cell, which may have lines of its own. */
export function readCells(text: string): string[][] | null {
  if (!text.includes("\t")) return null;
  return text
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .map((line) => line.split("\t"));
}

/** Fills cells to the right of and below a cell, and adds the cases that are missing below. */
export function pasteCells(
  cases: readonly TypedCase[],
  names: readonly string[],
  at: { readonly row: number; readonly name: string },
  cells: readonly (readonly string[])[],
): TypedCase[] {
  const column = names.indexOf(at.name);
  const height = Math.min(Math.max(cases.length, at.row + cells.length), MAX_CASES);
  return Array.from({ length: height }, (_, row) => {
    const present = cases[row] ?? { key: newLocalId(), variables: {}, checks: [] };
    const pasted = cells[row - at.row] ?? [];
    const values = pasted.flatMap((value, index) => {
      const name = names[column + index];
      return name === undefined ? [] : [[name, value.slice(0, MAX_VALUE_LENGTH)] as const];
    });
    return { ...present, variables: { ...present.variables, ...Object.fromEntries(values) } };
  });
}
