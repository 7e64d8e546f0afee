import { MAX_CASES, MAX_VALUE_LENGTH, variableName } from "@/lib/contract/operations/prompts";
import { readCsv } from "@/lib/contract/read-csv";
import { writeCsvLine } from "@/lib/contract/write-csv";
import { valueOf } from "./prompt-text";

type Values = Readonly<Record<string, string>>;

/** The cases that a CSV would add, and its faults by line. With any fault, nothing is added. */
export interface CsvPlan {
  readonly variables: readonly string[];
  readonly cases: readonly Values[];
  /** Columns that don't match a variable of the prompt. */
  readonly unused: readonly string[];
  /** Variables of the prompt without a column. Their values stay empty. */
  readonly missing: readonly string[];
  readonly faults: readonly { readonly line: number; readonly message: string }[];
}

/**
 * Plans the cases of a CSV whose first row names variables. `names` are the prompt's variables, `kept` is the number of
 * existing cases.
 */
export function planCases(text: string, names: readonly string[], kept: number): CsvPlan {
  const room = Math.max(0, MAX_CASES - kept);
  const { rows, brokenLine } = readCsv(text, { rows: room + 2 });
  const [head, ...body] = rows;
  const variables = (head?.cells ?? []).map((cell) => cell.trim());
  const faults: { line: number; message: string }[] = [];
  if (brokenLine !== null)
    faults.push({ line: brokenLine, message: "A quote is not closed, or followed by text." });
  const seen = new Set<string>();
  for (const [index, name] of variables.entries()) {
    const fault = nameFault(name, seen.has(name));
    seen.add(name);
    if (fault) faults.push({ line: head?.line ?? 1, message: `Column ${index + 1} ${fault}` });
  }
  const cases = body.slice(0, room).map(({ line, cells }): Values => {
    if (cells.length !== variables.length) {
      const message = `It has ${cells.length} values, and the first row names ${variables.length} variables.`;
      faults.push({ line, message });
    }
    const long = cells.findIndex((cell) => cell.length > MAX_VALUE_LENGTH);
    if (long >= 0)
      faults.push({ line, message: `Value ${long + 1} is longer than ${MAX_VALUE_LENGTH} characters.` });
    return Object.fromEntries(variables.map((name, index) => [name, cells[index] ?? ""]));
  });
  if (body.length > room) {
    const line = body[room]?.line ?? 1;
    faults.push({ line, message: `A prompt has at most ${MAX_CASES} cases; there is room for ${room}.` });
  }
  return {
    variables,
    cases,
    unused: variables.filter((name) => !names.includes(name)),
    missing: names.filter((name) => !seen.has(name)),
    faults: faults.toSorted((a, b) => a.line - b.line),
  };
}

function nameFault(name: string, isTwice: boolean): string | null {
  if (name === "") return "has no name.";
  if (isTwice) return `has the same name as another: ${name}.`;
  return variableName.safeParse(name).success ? null : `is not the name of a variable: ${name.slice(0, 60)}.`;
}

/** Writes cases as a CSV that `planCases` can read. Leaves out the checks. */
export function casesCsv(cases: readonly { readonly variables: Values }[], names: readonly string[]): string {
  const used = new Set([...names, ...cases.flatMap(({ variables }) => Object.keys(variables))]);
  const all = [...used];
  const lines = cases.map(({ variables }) => writeCsvLine(all.map((name) => valueOf(variables, name) ?? "")));
  return [writeCsvLine(all), ...lines].join("");
}
