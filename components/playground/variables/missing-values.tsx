import { Notice } from "@/components/ui/notice";
import { findVariableValue } from "@/lib/contract/calls/prompt-variables";
import type { PromptCase, PromptContent } from "@/lib/contract/operations/playground/prompts";
import { listVariables } from "./prompt-text";

/** A variable of a version for which some cases have no value. */
interface MissingValue {
  readonly version: number;
  readonly variable: string;
  /** The numbers of these cases, from 1. */
  readonly cases: readonly number[];
}

/** Returns the variables that a run would send unfilled, version by version. An empty text is a value. */
export function findMissingValues(
  cases: readonly PromptCase[],
  versions: readonly { readonly number: number; readonly content: PromptContent }[],
): MissingValue[] {
  return versions.flatMap(({ number, content }) =>
    listVariables(content).flatMap((variable) => {
      const without = cases.flatMap(({ variables }, index) =>
        findVariableValue(variables, variable) === undefined ? [index + 1] : [],
      );
      return without.length === 0 ? [] : [{ version: number, variable, cases: without }];
    }),
  );
}

const NAMED_CASES = 5;

/** Names the cases: `any case`, `case 3`, `cases 1, 4 and 9`, `cases 1, 2, 3, 4, 5 and 12 more`. */
export function nameCases(numbers: readonly number[], total: number): string {
  if (numbers.length === total) return total === 1 ? "the case" : "any case";
  const named = numbers.length > NAMED_CASES + 1 ? numbers.slice(0, NAMED_CASES) : numbers.slice(0, -1);
  const last = numbers.length > named.length + 1 ? `${numbers.length - named.length} more` : numbers.at(-1);
  return named.length === 0 ? `case ${last}` : `cases ${named.join(", ")} and ${last}`;
}

type MissingNoticeProps = { missing: readonly MissingValue[]; caseCount: number };

const MAX_NAMED = 5;

/** Says before a run which variables its calls would send unfilled. */
export function MissingNotice({ missing, caseCount }: MissingNoticeProps) {
  const versions = [...new Set(missing.map(({ version }) => version))].toSorted((one, other) => one - other);
  if (versions.length === 0) return null;
  const list = versions.length === 1 ? `version ${versions[0]}` : `versions ${versions.join(", ")}`;
  return (
    <Notice tone="near" title={`The cases don’t fit ${list}`}>
      <ul>
        {missing.slice(0, MAX_NAMED).map(({ version, variable, cases }) => (
          <li key={`${version} ${variable}`} className="wrap-anywhere">
            Version {version}: no value for <code className="font-mono">{variable}</code> in{" "}
            {nameCases(cases, caseCount)}.
          </li>
        ))}
      </ul>
      {missing.length > MAX_NAMED && <p>And {missing.length - MAX_NAMED} more.</p>}
      <p>A variable without a value is sent as it is written, in braces.</p>
    </Notice>
  );
}
