"use client";

import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { CsvField } from "@/components/ui/csv/csv-field";
import { describeExcess, describeLack } from "@/components/ui/csv/doubt-amount";
import { Dialog, useDialogScope } from "@/components/ui/dialog/dialog";
import { registerUnsaved } from "@/components/ui/dialog/unsaved";
import { Notice } from "@/components/ui/notice";
import { MAX_CASES, MAX_CHECKS, MAX_VALUE_LENGTH, VARIABLE_NAME } from "@/lib/contract/bounds";
import { parseCsv } from "@/lib/contract/csv";
import { parseCheck } from "./case-schema";
import { CHECK, type CheckType, type CsvCase, checkTypeNames, checkTypes } from "./case-values";

type CasesCsvDialogProps = {
  /** The prompt's variables. */
  names: readonly string[];
  /** Number of existing cases. */
  kept: number;
  add: (cases: readonly CsvCase[]) => void;
  close: () => void;
};

const SHOWN_FAULTS = 10;
/** Larger than any table that fits into a prompt's stored cases. */
const MAX_BYTES = 2 * 1024 * 1024;
const UNADDED = { title: "Discard these cases?", text: "They have not been added." };

/** Adds cases from a CSV that is pasted, dropped or chosen. Previews them, and adds either all rows or none. */
export function CasesCsvDialog({ names, kept, add, close }: CasesCsvDialogProps) {
  const [text, setText] = useState("");
  const plan = text.trim() === "" ? null : planCases(text, names, kept);
  const canAdd = plan !== null && plan.faults.length === 0 && plan.cases.length > 0;
  return (
    <Dialog
      open
      onClose={close}
      position="wide"
      title="Add cases from CSV"
      description={`The first row names the variables, and checks as check:contains. Each further row is a case; a prompt has at most ${MAX_CASES}. Nothing is saved until you save the cases.`}
    >
      <KeepUnsaved isEmpty={text.trim() === ""} />
      <div className="grid gap-4">
        <CsvField
          label="CSV"
          help="Paste it, drop a file here, or choose one."
          placeholder={`${names.join(",") || "topic"}\n…`}
          text={text}
          onChange={setText}
          maxBytes={MAX_BYTES}
          tooLarge={`Choose a table of at most ${MAX_CASES} cases`}
        />
        {plan && <Plan plan={plan} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            variant="primary"
            disabled={!canAdd}
            onClick={() => {
              add(plan?.cases ?? []);
              close();
            }}
          >
            {canAdd ? `Add ${countCases(plan.cases.length)}` : "Add cases"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Asks before the dialog closes with a text that isn't added. */
function KeepUnsaved({ isEmpty }: { isEmpty: boolean }) {
  const dialog = useDialogScope()?.id ?? null;
  useEffect(() => {
    if (isEmpty) return;
    return registerUnsaved({ dialog, describe: () => UNADDED, discard: () => {} });
  }, [dialog, isEmpty]);
  return null;
}

function Plan({ plan }: { plan: CsvPlan }) {
  const { faults, cases, variables, unused, missing } = plan;
  if (faults.length > 0) {
    return (
      <Notice tone="bad" role="alert" title="Nothing can be added yet">
        <ul className="grid gap-1">
          {faults.slice(0, SHOWN_FAULTS).map(({ line, message }) => (
            <li key={`${line} ${message}`}>
              Line {line}: {message}
            </li>
          ))}
          {faults.length > SHOWN_FAULTS && <li>{faults.length - SHOWN_FAULTS} more lines have faults.</li>}
        </ul>
      </Notice>
    );
  }
  const checkCount = cases.reduce((sum, { checks }) => sum + checks.length, 0);
  return (
    <Notice tone={cases.length > 0 ? "good" : "near"} title={`Adds ${countCases(cases.length)}`}>
      <span className="grid gap-1">
        <span>
          Variables: <code className="font-mono">{variables.join(", ") || "none"}</code>. Checks: {checkCount}
          .
        </span>
        {missing.length > 0 && (
          <span>
            No column for <code className="font-mono">{missing.join(", ")}</code>: it stays empty.
          </span>
        )}
        {unused.length > 0 && (
          <span>
            The prompt doesn’t use <code className="font-mono">{unused.join(", ")}</code>.
          </span>
        )}
      </span>
    </Notice>
  );
}

function countCases(count: number): string {
  return count === 1 ? "1 case" : `${count} cases`;
}

/** The cases that a CSV would add, and its faults by line. With any fault, nothing is added. */
export interface CsvPlan {
  readonly variables: readonly string[];
  readonly cases: readonly CsvCase[];
  /** Columns that don't match a variable of the prompt. */
  readonly unused: readonly string[];
  /** Variables of the prompt without a column. Their values stay empty. */
  readonly missing: readonly string[];
  readonly faults: readonly { readonly line: number; readonly message: string }[];
}

/**
 * Plans the cases of a CSV. Its first row names variables, and kinds of checks as `check:contains`. `names` are the
 * prompt's variables, `kept` is the number of existing cases.
 */
export function planCases(text: string, names: readonly string[], kept: number): CsvPlan {
  const room = Math.max(0, MAX_CASES - kept);
  const { rows, brokenLine, separator } = parseCsv(text, { rows: room + 2 });
  const [head, ...body] = rows;
  const columns = (head?.cells ?? []).map((cell) => parseColumn(cell.trim()));
  const faults: { line: number; message: string }[] = [];
  if (brokenLine !== null)
    faults.push({ line: brokenLine, message: "A quote is not closed, or followed by text." });
  faults.push(...findHeadFaults(columns, head?.line ?? 1));
  const cases = body.slice(0, room).map(({ line, cells }): CsvCase => {
    const misfit = describeLack(cells, columns.length) ?? describeExcess(cells, columns.length, separator);
    if (misfit) faults.push({ line, message: misfit });
    const long = cells.findIndex((cell) => cell.length > MAX_VALUE_LENGTH);
    if (long >= 0)
      faults.push({ line, message: `Value ${long + 1} is longer than ${MAX_VALUE_LENGTH} characters.` });
    const read = parseCase(columns, cells);
    for (const { type } of read.checks.filter((check) => parseCheck(check) === null))
      faults.push({ line, message: `${CHECK}${type}: ${checkTypes[type].fault}` });
    return read;
  });
  if (body.length > room) {
    const line = body[room]?.line ?? 1;
    faults.push({ line, message: `A prompt has at most ${MAX_CASES} cases; there is room for ${room}.` });
  }
  const variables = columns.flatMap((column) => (column.kind === "variable" ? [column.name] : []));
  return {
    variables,
    cases,
    unused: variables.filter((name) => !names.includes(name)),
    missing: names.filter((name) => !variables.includes(name)),
    faults: faults.toSorted((a, b) => a.line - b.line),
  };
}

type Column =
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "check"; readonly type: CheckType }
  | { readonly kind: "unknown"; readonly name: string };

function parseColumn(name: string): Column {
  if (!name.startsWith(CHECK)) return { kind: "variable", name };
  const type = checkTypeNames.find((one) => one === name.slice(CHECK.length));
  return type ? { kind: "check", type } : { kind: "unknown", name };
}

/** An empty value is no check. */
function parseCase(columns: readonly Column[], cells: readonly string[]): CsvCase {
  const values = columns.map((column, index) => [column, cells[index] ?? ""] as const);
  return {
    variables: Object.fromEntries(
      values.flatMap(([column, value]) => (column.kind === "variable" ? [[column.name, value]] : [])),
    ),
    checks: values.flatMap(([column, value]) =>
      column.kind === "check" && value.trim() !== "" ? [{ type: column.type, value }] : [],
    ),
  };
}

function findHeadFaults(columns: readonly Column[], line: number): { line: number; message: string }[] {
  const faults: { line: number; message: string }[] = [];
  const seen = new Set<string>();
  for (const [index, column] of columns.entries()) {
    if (column.kind === "check") continue;
    const { name } = column;
    const fault = column.kind === "unknown" ? UNKNOWN_CHECK : nameFault(name, seen.has(name));
    seen.add(name);
    if (fault) faults.push({ line, message: `Column ${index + 1} ${fault}` });
  }
  if (columns.filter(({ kind }) => kind === "check").length > MAX_CHECKS)
    faults.push({
      line,
      message: `A case has at most ${MAX_CHECKS} checks: there are more columns of them.`,
    });
  return faults;
}

const UNKNOWN_CHECK = `names no check. Write ${checkTypeNames.map((type) => CHECK + type).join(", ")}.`;

function nameFault(name: string, isTwice: boolean): string | null {
  if (name === "") return "has no name.";
  if (isTwice) return `has the same name as another: ${name}.`;
  return VARIABLE_NAME.test(name) ? null : `is not the name of a variable: ${name.slice(0, 60)}.`;
}
