import type { Statement, StatementLine } from "@/lib/contract/operations/money/statements";
import { formatAmount, parseCheckedAmount, toNano } from "@/lib/money/amount";

/** The total of some calls. */
export interface Subtotal {
  readonly id: string;
  readonly name: string;
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** A decimal string. */
  readonly charges: string;
}

export const byModel = ({ model }: StatementLine) => ({ id: model, name: model });
export const byProject = ({ project_id, project_name }: StatementLine) => ({
  id: project_id,
  name: project_name ?? project_id,
});

/** Sums lines with the same id. The largest charges come first. */
export function sumLinesBy(
  lines: Statement["lines"],
  by: (line: StatementLine) => { id: string; name: string },
): Subtotal[] {
  const sums = new Map<string, Sum>();
  for (const line of lines) {
    const { id, name } = by(line);
    const sum = sums.get(id) ?? { id, name, calls: 0, promptTokens: 0, completionTokens: 0, nano: 0n };
    sums.set(id, sum);
    sum.calls += line.calls;
    sum.promptTokens += line.prompt_tokens;
    sum.completionTokens += line.completion_tokens;
    sum.nano += parseCheckedAmount(line.charges);
  }
  return [...sums.values()]
    .toSorted((one, other) => compare(other.nano, one.nano) || (one.name < other.name ? -1 : 1))
    .map(({ nano, ...sum }) => ({ ...sum, charges: formatAmount(toNano(nano)) }));
}

/** Added up in nano-units: a month has thousands of lines. */
interface Sum {
  readonly id: string;
  readonly name: string;
  calls: number;
  promptTokens: number;
  completionTokens: number;
  nano: bigint;
}

const compare = (one: bigint, other: bigint) => (one < other ? -1 : one > other ? 1 : 0);

/** Returns the projects that a statement names, the largest charges first, then those with corrections alone. */
export function listStatementProjects({ lines, correction_entries = [] }: Statement): Project[] {
  const projects = new Map(sumLinesBy(lines, byProject).map(({ id, name }) => [id, { id, name }]));
  for (const { project_id: id, project_name } of correction_entries) {
    if (id !== null && !projects.has(id)) projects.set(id, { id, name: project_name ?? id });
  }
  return [...projects.values()];
}

type Project = { id: string; name: string };

/** Sums all lines. */
export function sumAllLines(lines: Statement["lines"]): Subtotal {
  const [total] = sumLinesBy(lines, () => ({ id: "total", name: "Total" }));
  return (
    total ?? { id: "total", name: "Total", calls: 0, promptTokens: 0, completionTokens: 0, charges: "0.00" }
  );
}

/** The cost of a project in a month. `corrections` is null without corrections, else their change of the cost. */
export function sumProject(
  { correction_entries = [] }: Pick<Statement, "correction_entries">,
  projectId: string,
  charges: string,
): { corrections: string | null; cost: string } {
  const amounts = correction_entries
    .filter(({ project_id }) => project_id === projectId)
    .map(({ amount }) => parseCheckedAmount(amount));
  // A correction that gives money back is positive, and makes the project cost less.
  const change = amounts.reduce((sum, amount) => sum - amount, 0n);
  return {
    corrections: amounts.length === 0 ? null : formatAmount(toNano(change)),
    cost: formatAmount(toNano(parseCheckedAmount(charges) + change)),
  };
}
