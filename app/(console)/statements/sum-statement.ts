import type { Statement, StatementLine } from "@/lib/contract/operations/statements";
import { formatAmount, parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";

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
  const sums = new Map<string, Subtotal>();
  for (const line of lines) {
    const { id, name } = by(line);
    const sum = sums.get(id);
    sums.set(id, {
      id,
      name,
      calls: (sum?.calls ?? 0) + line.calls,
      promptTokens: (sum?.promptTokens ?? 0) + line.prompt_tokens,
      completionTokens: (sum?.completionTokens ?? 0) + line.completion_tokens,
      charges: plus(sum?.charges, line.charges),
    });
  }
  return [...sums.values()].toSorted((one, other) => compare(other, one) || (one.name < other.name ? -1 : 1));
}

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

const plus = (one: string | undefined, other: string) =>
  formatAmount(toNano((one === undefined ? ZERO : parseCheckedAmount(one)) + parseCheckedAmount(other)));

function compare(one: Subtotal, other: Subtotal): number {
  const difference = parseCheckedAmount(one.charges) - parseCheckedAmount(other.charges);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
