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
  "corrects",
  "reason",
  "amount",
  "currency",
];

/**
 * Returns a statement as CSV. The rows between opening and closing balance add up to their difference. For one project, only
 * charges and their corrections.
 */
export function writeStatement(statement: Statement, projectId: string | null): string {
  const { id, currency, opening_balance, closing_balance, payment_entries, correction_entries, lines } =
    statement;
  const row = (entry: string, cells: readonly unknown[], amount: string) =>
    writeCsvLine([id, entry, ...cells, amount, currency]);
  const empty = Array.from({ length: 10 }, () => null);
  const charges = lines
    .filter((line) => projectId === null || line.project_id === projectId)
    .map((line) => row("charges", [null, null, ...buildCells(line)], negated(line.charges)));
  const corrections = (correction_entries ?? [])
    .filter((entry) => projectId === null || entry.project_id === projectId)
    .map((entry) => row("correction", cellsOfCorrection(entry), entry.amount));
  if (projectId !== null) return writeCsvLine(head) + charges.join("") + corrections.join("");
  const payments = payment_entries.map(({ created_at, reference, amount }) =>
    row("payment", [utcTime(created_at), reference, ...empty.slice(2)], amount),
  );
  return [
    writeCsvLine(head),
    row("opening balance", empty, opening_balance),
    ...payments,
    ...charges,
    ...corrections,
    row("closing balance", empty, closing_balance),
  ].join("");
}

function buildCells(line: StatementLine) {
  const { project_id, project_name, model, calls, prompt_tokens, completion_tokens } = line;
  return [project_id, project_name, model, calls, prompt_tokens, completion_tokens, null, null];
}

function cellsOfCorrection(entry: NonNullable<Statement["correction_entries"]>[number]) {
  const { created_at, corrected_reference, project_id, project_name, model, corrects, reason } = entry;
  const of = [project_id, project_name, model, null, null, null];
  return [utcTime(created_at), corrected_reference, ...of, corrects, reason];
}

const negated = (amount: string) => (/[1-9]/.test(amount) ? `-${amount}` : amount);
