import type pg from "pg";
import type { ReconciliationCheck } from "../../ledger/reconciliation";
import {
  describeLostHold,
  describeOverdue,
  describeResolvedTwice,
  HOLDS_HAVE_OWNERS,
  HOLDS_RESOLVE_ONCE,
  type LostHold,
  NO_HOLD_IS_OVERDUE,
  type Overdue,
  type ResolvedTwice,
  SELECT_LOST_HOLDS,
  selectOverdue,
  selectResolvedTwice,
} from "../checks/call-checks";
import { formatCount, type LedgerRange } from "../checks/check";
import {
  CORRECTIONS_ARE_WITHIN,
  type CorrectionRow,
  countCorrections,
  findCorrectionFaults,
  selectCorrections,
} from "../checks/ledger-checks";
import {
  endsIn,
  findChainFaults,
  findLineFaults,
  findSumFaults,
  type LineSum,
  type MonthSums,
  SELECT_STATEMENTS,
  STATEMENT_GUARDS,
  STATEMENTS_MATCH,
  type StatementRow,
  selectLineSums,
  selectMonthSums,
} from "../checks/statement-check";
import { describeCheck } from "../reconcile";

/** What rows of holds, statements and corrections say beside the entries. Each statement sees one moment. */
export async function checkMoney(
  pool: pg.Pool,
  nowMs: number,
  range: LedgerRange,
): Promise<ReconciliationCheck[]> {
  const all = async <Row extends pg.QueryResultRow>(query: string) => (await pool.query<Row>(query)).rows;
  const count = async (from: string) =>
    (await all<{ n: bigint }>(`SELECT count(*) AS n FROM ${from}`))[0]?.n ?? 0n;
  const openHolds = formatCount(await count("holds"), "open hold");
  const twice = await all<ResolvedTwice>(selectResolvedTwice(range));
  const overdue = await all<Overdue>(selectOverdue(nowMs));
  const lost = await all<LostHold>(SELECT_LOST_HOLDS);
  const corrections = await all<CorrectionRow>(selectCorrections(range));
  const [corrected] = await all<{ n: bigint }>(countCorrections(range));
  const statements = await all<StatementRow>(SELECT_STATEMENTS);
  return [
    describeCheck(HOLDS_RESOLVE_ONCE, { checked: openHolds, faults: twice.map(describeResolvedTwice) }),
    describeCheck(NO_HOLD_IS_OVERDUE, { checked: openHolds, faults: overdue.map(describeOverdue) }),
    describeCheck(HOLDS_HAVE_OWNERS, {
      checked: `${formatCount(await count("leases"), "owner")}, ${openHolds}`,
      faults: lost.map(describeLostHold),
    }),
    describeCheck(STATEMENTS_MATCH, {
      checked: formatCount(statements.length, "closed month"),
      faults: [...(await findUnguarded(pool)), ...(await findStatementFaults(all, statements, range))],
    }),
    describeCheck(CORRECTIONS_ARE_WITHIN, {
      checked: formatCount(corrected?.n ?? 0n, "correction"),
      faults: corrections.flatMap(findCorrectionFaults),
    }),
  ];
}

async function findUnguarded(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT tgname AS name FROM pg_trigger WHERE tgrelid = 'statements'::regclass AND tgenabled <> 'D'",
  );
  const present = rows.map(({ name }) => name);
  return STATEMENT_GUARDS.filter((guard) => !present.includes(guard)).map(
    (guard) => `The trigger ${guard} is gone: rows can be altered. Restore a backup.`,
  );
}

async function findStatementFaults(
  all: <Row extends pg.QueryResultRow>(query: string) => Promise<Row[]>,
  statements: readonly StatementRow[],
  range: LedgerRange,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [index, row] of statements.entries()) {
    faults.push(...findChainFaults(row, statements[index - 1]));
    const [sums] = await all<MonthSums & pg.QueryResultRow>(selectMonthSums(row));
    if (sums) faults.push(...findSumFaults(row, sums));
    if (endsIn(range, row)) faults.push(...findLineFaults(row, await all<LineSum>(selectLineSums(row))));
  }
  return faults;
}
