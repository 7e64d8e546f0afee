import { formatIsoTime } from "@/components/ui/time/describe-time";
import { writeCsvLine } from "@/lib/contract/csv";
import type { Statement, StatementLine } from "@/lib/contract/operations/money/statements";
import { negateDecimal } from "@/lib/money/amount";
import { listStatementProjects, sumAllLines, sumProject } from "./sum-statement";

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
 * Returns a statement as CSV. The rows between opening and closing balance add up to their difference. For one project,
 * only charges and their corrections.
 */
export function writeStatement(statement: Statement, projectId: string | null): string {
  const { id, currency, opening_balance, closing_balance, payment_entries, correction_entries, lines } =
    statement;
  const row = (entry: string, cells: readonly unknown[], amount: string) =>
    writeCsvLine([id, entry, ...cells, amount, currency]);
  const empty = Array.from({ length: 10 }, () => null);
  const charges = lines
    .filter((line) => projectId === null || line.project_id === projectId)
    .map((line) => row("charges", [null, null, ...buildCells(line)], negateDecimal(line.charges)));
  const corrections = (correction_entries ?? [])
    .filter((entry) => projectId === null || entry.project_id === projectId)
    .map((entry) => row("correction", writeCorrectionCells(entry), entry.amount));
  if (projectId !== null) return writeCsvLine(head) + charges.join("") + corrections.join("");
  const payments = payment_entries.map(({ created_at, reference, amount }) =>
    row("payment", [formatIsoTime(created_at), reference, ...empty.slice(2)], amount),
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

/**
 * Returns a statement as JSON. For one project, its lines and corrections with their sums, without the digest, which
 * holds for the whole statement.
 */
export function writeStatementJson(statement: Statement, projectId: string | null): string {
  if (projectId === null) return JSON.stringify(statement, null, 2);
  const { id, state, start_time, end_time, currency, closed_at } = statement;
  const lines = statement.lines.filter((line) => line.project_id === projectId);
  const correction_entries = (statement.correction_entries ?? []).filter(
    ({ project_id }) => project_id === projectId,
  );
  const { charges } = sumAllLines(lines);
  const { corrections, cost } = sumProject(statement, projectId, charges);
  const name = listStatementProjects(statement).find((project) => project.id === projectId)?.name ?? null;
  const project = { id: projectId, name };
  const sums = { charges, corrections: corrections ?? "0.00", cost };
  const month = { id, state, start_time, end_time, currency, closed_at };
  return JSON.stringify(
    { object: "project_statement", ...month, project, ...sums, lines, correction_entries },
    null,
    2,
  );
}

function buildCells(line: StatementLine) {
  const { project_id, project_name, model, calls, prompt_tokens, completion_tokens } = line;
  return [project_id, project_name, model, calls, prompt_tokens, completion_tokens, null, null];
}

function writeCorrectionCells(entry: NonNullable<Statement["correction_entries"]>[number]) {
  const { created_at, corrected_reference, project_id, project_name, model, corrects, reason } = entry;
  const charged = [project_id, project_name, model, null, null, null];
  return [formatIsoTime(created_at), corrected_reference, ...charged, corrects, reason];
}
