import type { Statement, StatementLine } from "@/lib/contract/operations/statements";
import { amountOf, formatAmount, toNano, ZERO } from "@/lib/money/amount";

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
export function subtotalsOf(
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

/** Sums all lines. */
export function totalOf(lines: Statement["lines"]): Subtotal {
  const [total] = subtotalsOf(lines, () => ({ id: "total", name: "Total" }));
  return (
    total ?? { id: "total", name: "Total", calls: 0, promptTokens: 0, completionTokens: 0, charges: "0.00" }
  );
}

const plus = (one: string | undefined, other: string) =>
  formatAmount(toNano((one === undefined ? ZERO : amountOf(one)) + amountOf(other)));

function compare(one: Subtotal, other: Subtotal): number {
  const difference = amountOf(one.charges) - amountOf(other.charges);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
