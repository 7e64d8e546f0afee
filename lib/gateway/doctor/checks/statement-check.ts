import { isRareKind, type RareKind } from "../../ledger/reads/ledger-conditions.sql";
import { hashFigures, readFigures } from "../../ledger/statements/statements";
import {
  type Check,
  findGuardFaults,
  formatCount,
  formatNano,
  type LedgerRange,
  limitFaults,
  queryRows,
  readLastSeq,
} from "./check";

export interface StatementRow {
  readonly month: string;
  readonly after_seq: bigint;
  readonly last_seq: bigint;
  readonly figures: string;
  readonly digest: string;
}

/** The amounts of a month's entries, from which its charges follow. */
export interface MonthSums {
  readonly opening: bigint;
  readonly closing: bigint;
  readonly payments: bigint;
  readonly corrections: bigint;
}

export interface LineSum {
  readonly project_id: string;
  readonly model: string;
  readonly calls: bigint;
  readonly tokens: bigint;
  readonly amount: bigint;
}

export const STATEMENTS_MATCH = "I18 closed statements match their entries";
export const STATEMENT_GUARDS = ["statements_are_not_changed", "statements_are_not_deleted"];
export const SELECT_STATEMENTS =
  "SELECT month, after_seq, last_seq, figures, digest FROM statements ORDER BY month";

const listEntriesWithin = ({ after_seq, last_seq }: StatementRow) =>
  `seq > ${after_seq} AND seq <= ${last_seq}`;

/** The SQL of a month's sums, by index, on both engines. */
export function selectMonthSums(row: StatementRow): string {
  const balanceAt = (seq: bigint) =>
    `coalesce((SELECT balance_after FROM ledger_entries WHERE seq = ${seq}), 0)`;
  const sumOf = (kind: RareKind) =>
    `(SELECT CAST(coalesce(sum(CASE to_account WHEN 'balance' THEN amount ELSE -amount END), 0) AS bigint)
      FROM ledger_entries WHERE ${isRareKind([kind])} AND ${listEntriesWithin(row)})`;
  return `SELECT ${balanceAt(row.after_seq)} AS opening, ${balanceAt(row.last_seq)} AS closing,
    ${sumOf("payment")} AS payments, ${sumOf("correction")} AS corrections`;
}

/** The SQL of a month's sums by project and model, on both engines. */
export const selectLineSums = (row: StatementRow) =>
  `SELECT project_id, model, count(*) AS calls, CAST(sum(prompt_tokens + completion_tokens) AS bigint) AS tokens,
     CAST(sum(amount) AS bigint) AS amount
   FROM ledger_entries WHERE kind || '' = 'charge' AND ${listEntriesWithin(row)} GROUP BY project_id, model`;

/** Checks closed months. Open ones are computed from entries, which I5 and I7 check. */
export const statementCheck: Check = {
  title: STATEMENTS_MATCH,
  run(database, _nowMs, range) {
    const rows = queryRows<StatementRow>(database, SELECT_STATEMENTS);
    // If entries are checked in steps, checks that don't depend on the step run in the last one.
    const isLast = range.to === readLastSeq(database);
    const faults = isLast ? findGuardFaults(database, STATEMENT_GUARDS) : [];
    for (const [index, row] of rows.entries()) {
      if (isLast) faults.push(...findChainFaults(row, rows[index - 1]));
      const [sums] = isLast ? queryRows<MonthSums>(database, selectMonthSums(row)) : [];
      if (sums) faults.push(...findSumFaults(row, sums));
      if (endsIn(range, row))
        faults.push(...findLineFaults(row, queryRows<LineSum>(database, selectLineSums(row))));
    }
    return {
      checked: formatCount(rows.length, "closed month"),
      faults: limitFaults(faults),
    };
  },
};

export const endsIn = ({ from, to }: LedgerRange, { last_seq }: StatementRow) =>
  last_seq > from.seq && last_seq <= to;

/** Checks that the text matches its digest, and that it begins where the month before ended. */
export function findChainFaults(row: StatementRow, rowBefore: StatementRow | undefined): string[] {
  const { previousDigest } = readFigures(row.figures);
  return [
    ...(hashFigures(row.figures) === row.digest
      ? []
      : [`The statement of ${row.month} is not what was closed: its digest differs. Restore a backup.`]),
    ...(row.after_seq === (rowBefore?.last_seq ?? 0n) && previousDigest === (rowBefore?.digest ?? null)
      ? []
      : [`The statement of ${row.month} does not follow the one before it. Restore a backup.`]),
  ];
}

/** Compares payments and the balances at both ends. The charges follow from them. */
export function findSumFaults(
  row: StatementRow,
  { opening, closing, payments, corrections }: MonthSums,
): string[] {
  const figures = readFigures(row.figures);
  const charges = opening + payments + corrections - closing;
  const expected = { opening, payments, charges, corrections, closing };
  const lines = figures.lines.reduce((sum, line) => sum + line.charges, 0n);
  const faults = Object.entries(expected).flatMap(([name, amount]) => {
    const stored = figures[name as keyof typeof expected];
    return stored === amount
      ? []
      : [
          `The statement of ${row.month} says ${formatNano(stored)} (${name}); its entries make ${formatNano(amount)}.`,
        ];
  });
  if (lines === figures.charges) return faults;
  return [
    ...faults,
    `The lines of ${row.month} add up to ${formatNano(lines)}; it was charged ${formatNano(figures.charges)}.`,
  ];
}

/** Compares each line with the sum of its entries. */
export function findLineFaults(row: StatementRow, sums: readonly LineSum[]): string[] {
  const { lines } = readFigures(row.figures);
  const name = (projectId: string, model: string) => JSON.stringify([projectId, model]);
  const unmatchedSums = new Map(sums.map((sum) => [name(sum.project_id, sum.model), sum]));
  const faults = lines.flatMap(({ projectId, model, calls, promptTokens, completionTokens, charges }) => {
    const sum = unmatchedSums.get(name(projectId, model));
    unmatchedSums.delete(name(projectId, model));
    const isRight =
      sum?.amount === charges &&
      sum.calls === BigInt(calls) &&
      sum.tokens === BigInt(promptTokens + completionTokens);
    if (isRight) return [];
    return [
      `The statement of ${row.month} says ${calls} calls and ${formatNano(charges)} for ${model} in ${projectId}; its entries make ${sum?.calls ?? 0} and ${formatNano(sum?.amount ?? 0n)}.`,
    ];
  });
  const missingLines = [...unmatchedSums.values()].map(
    ({ project_id, model, amount }) =>
      `The statement of ${row.month} lacks ${formatNano(amount)} for ${model} in ${project_id}.`,
  );
  return [...faults, ...missingLines];
}
