import type { Database } from "bun:sqlite";
import { isRareKind, type RareKind } from "../../ledger/reads/ledger-conditions.sql";
import type { Statement } from "../../ledger/statements/statement";
import { hashFigures, readFigures } from "../../ledger/statements/statements";
import { formatCount } from "../format-count";
import { formatNano } from "../format-nano";
import { type Check, findGuardFaults, type LedgerRange, limitFaults, queryRows, readLastSeq } from "./check";

interface Row {
  readonly month: string;
  readonly after_seq: bigint;
  readonly last_seq: bigint;
  readonly figures: string;
  readonly digest: string;
}

/** Checks closed months. Open ones are computed from entries, which I5 and I7 check. */
export const statementCheck: Check = {
  title: "I18 closed statements match their entries",
  run(database, _nowMs, range) {
    const rows = queryRows<Row>(
      database,
      "SELECT month, after_seq, last_seq, figures, digest FROM statements ORDER BY month",
    );
    // If entries are checked in steps, checks that don't depend on the step run in the last one.
    const isLast = range.to === readLastSeq(database);
    const guards = ["statements_are_not_changed", "statements_are_not_deleted"];
    const faults = isLast ? findGuardFaults(database, guards) : [];
    for (const [index, row] of rows.entries()) {
      if (isLast) faults.push(...findChainFaults(row, rows[index - 1]));
      const figures = readFigures(row.figures);
      if (isLast) faults.push(...findSumFaults(database, row, figures));
      if (endsIn(range, row)) faults.push(...findLineFaults(database, row, figures));
    }
    return {
      checked: formatCount(rows.length, "closed month"),
      faults: limitFaults(faults),
    };
  },
};

const endsIn = ({ from, to }: LedgerRange, { last_seq }: Row) => last_seq > from.seq && last_seq <= to;

const listEntriesWithin = ({ after_seq, last_seq }: Row) => `seq > ${after_seq} AND seq <= ${last_seq}`;

/** Checks that the text matches its digest, and that it begins where the month before ended. */
function findChainFaults(row: Row, rowBefore: Row | undefined): string[] {
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

/** Compares payments and the balances at both ends by index. The charges follow from them. */
function findSumFaults(database: Database, row: Row, figures: Omit<Statement, "closed">): string[] {
  const balanceAt = (seq: bigint) =>
    queryRows<{ balance: bigint }>(
      database,
      `SELECT balance_after AS balance FROM ledger_entries WHERE seq = ${seq}`,
    )[0]?.balance ?? 0n;
  const sumEntries = (kind: RareKind) =>
    queryRows<{ amount: bigint }>(
      database,
      `SELECT coalesce(sum(iif(to_account = 'balance', amount, -amount)), 0) AS amount FROM ledger_entries
       WHERE ${isRareKind([kind])} AND ${listEntriesWithin(row)}`,
    )[0]?.amount ?? 0n;
  const [opening, closing] = [balanceAt(row.after_seq), balanceAt(row.last_seq)];
  const [payments, corrections] = [sumEntries("payment"), sumEntries("correction")];
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
function findLineFaults(database: Database, row: Row, { lines }: Omit<Statement, "closed">): string[] {
  const name = (projectId: string, model: string) => JSON.stringify([projectId, model]);
  const sums = queryRows<{
    project_id: string;
    model: string;
    calls: bigint;
    tokens: bigint;
    amount: bigint;
  }>(
    database,
    `SELECT project_id, model, count(*) AS calls, sum(prompt_tokens + completion_tokens) AS tokens, sum(amount) AS amount
     FROM ledger_entries WHERE +kind = 'charge' AND ${listEntriesWithin(row)} GROUP BY project_id, model`,
  );
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
