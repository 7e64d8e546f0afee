import { describeExcess, describeLack } from "@/components/ui/csv/row-faults";
import { MAX_CASES, MAX_CHECKS, MAX_VALUE_LENGTH, VARIABLE_NAME } from "@/lib/contract/bounds";
import { parseCsv } from "@/lib/contract/csv";
import { parseCheck } from "./case-schema";
import { CHECK, type CheckType, type CsvCase, checkTypeNames, checkTypes } from "./case-values";

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
