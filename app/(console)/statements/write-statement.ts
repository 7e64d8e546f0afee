import { utcTime } from "@/components/ui/describe-time";
import type { Statement, StatementLine } from "@/lib/contract/operations/statements";
import { writeCsvLine } from "@/lib/contract/write-csv";

const head = [
  "month",
  "entry",
  "date",
  "reference",
  "project_id",
  "project",
  "model",
  "calls",
  "prompt_tokens",
  "completion_tokens",
  "amount",
  "currency",
];

/**
 * Returns a statement as CSV. The rows between opening and closing balance add up to their difference. For one project, only
 * charges.
 */
export function writeStatement(statement: Statement, projectId: string | null): string {
  const { id, currency, opening_balance, closing_balance, payment_entries, lines } = statement;
  const row = (entry: string, cells: readonly unknown[], amount: string) =>
    writeCsvLine([id, entry, ...cells, amount, currency]);
  const empty = Array.from({ length: 8 }, () => null);
  const charges = lines
    .filter((line) => projectId === null || line.project_id === projectId)
    .map((line) => row("charges", [null, null, ...cellsOf(line)], negated(line.charges)));
  if (projectId !== null) return writeCsvLine(head) + charges.join("");
  const payments = payment_entries.map(({ created_at, reference, amount }) =>
    row("payment", [utcTime(created_at), reference, ...empty.slice(2)], amount),
  );
  return [
    writeCsvLine(head),
    row("opening balance", empty, opening_balance),
    ...payments,
    ...charges,
    row("closing balance", empty, closing_balance),
  ].join("");
}

function cellsOf(line: StatementLine) {
  const { project_id, project_name, model, calls, prompt_tokens, completion_tokens } = line;
  return [project_id, project_name, model, calls, prompt_tokens, completion_tokens];
}

const negated = (amount: string) => (/[1-9]/.test(amount) ? `-${amount}` : amount);
