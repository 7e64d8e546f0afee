import type { Database } from "bun:sqlite";
import { chargeBases } from "../../ledger/funds";
import { isRareKind } from "../../ledger/reads/ledger-conditions.sql";
import {
  type Check,
  countRows,
  findGuardFaults,
  formatCount,
  formatNano,
  inRange,
  type LedgerRange,
  limitFaults,
  queryRows,
  readLastSeq,
} from "./check";

const ACCOUNTS = ["balance", "charges", "payments", "provider_variance"];

const accountsAddUpToZero: Check = {
  title: "I1 debits equal credits",
  run(database) {
    const accounts = queryRows<{ name: string; balance: bigint }>(
      database,
      "SELECT name, balance FROM accounts",
    );
    const sum = accounts.reduce((total, { balance }) => total + balance, 0n);
    const names = accounts.map(({ name }) => name).toSorted();
    const faults = [
      ...(sum === 0n
        ? []
        : [
            `The accounts add up to ${formatNano(sum)} instead of 0: an account was changed by hand. Restore a backup.`,
          ]),
      ...(names.join() === ACCOUNTS.join()
        ? []
        : [`The accounts are ${names.join(", ")} instead of ${ACCOUNTS.join(", ")}. Restore a backup.`]),
    ];
    return { checked: formatCount(accounts.length, "account"), faults };
  },
};

const nothingIsOverdrawn: Check = {
  title: "I2 the available balance is not below zero",
  run(database) {
    const [row] = queryRows<{ posted: bigint; held: bigint }>(
      database,
      `SELECT balance AS posted, (SELECT coalesce(sum(amount), 0) FROM holds) AS held
       FROM accounts WHERE name = 'balance'`,
    );
    const { posted = 0n, held = 0n } = row ?? {};
    const fault = `${formatNano(posted)} are posted and ${formatNano(held)} are held: the holds exceed the balance by ${formatNano(held - posted)}. Record a payment, then find out what wrote to the database.`;
    return {
      checked: `${formatNano(posted)} in the balance, ${formatNano(held)} on hold`,
      faults: held > posted ? [fault] : [],
    };
  },
};

/** The triggers that refuse changes of entries. */
export const LEDGER_GUARDS = [
  "ledger_entries_are_not_changed",
  "ledger_entries_are_not_deleted",
  "ledger_entries_keep_their_balance",
];

const entriesAreImmutable: Check = {
  title: "I5 entries are immutable",
  run(database, _nowMs, range) {
    const missingCount =
      range.to - range.from.seq - countRows(database, `FROM ledger_entries WHERE ${inRange(range)}`);
    const faults = findGuardFaults(database, LEDGER_GUARDS);
    if (missingCount !== 0n)
      faults.push(`${missingCount} entries are missing below number ${range.to}. Restore a backup.`);
    return { checked: `${formatCount(range.to - missingCount, "entry", "entries")} without a gap`, faults };
  },
};

const balancesAreTheSums: Check = {
  title: "I7 cached balances are the sums of the entries",
  run(database, _nowMs, range) {
    const accounts = queryRows<{ name: string; balance: bigint; sum: bigint }>(
      database,
      `SELECT name, balance, coalesce((SELECT sum(iif(to_account = name, amount, -amount)) FROM ledger_entries
         WHERE ${inRange(range)} AND name IN (to_account, from_account)), 0) AS sum FROM accounts`,
    );
    const before = new Map<string, bigint>(Object.entries(range.from.accounts));
    // If entries are checked in steps, the last step reports the totals.
    const isLast = range.to === readLastSeq(database);
    const faults = accounts
      .map(({ name, balance, sum }) => ({ name, balance, sum: sum + (before.get(name) ?? 0n) }))
      .filter(({ balance, sum }) => isLast && balance !== sum)
      .map(
        ({ name, balance, sum }) =>
          `The account ${name} says ${formatNano(balance)}, its entries add up to ${formatNano(sum)}: they differ by ${formatNano(balance - sum)}. The entries are right where I5 holds; restore a backup.`,
      );
    return {
      checked: formatCount(accounts.length, "account"),
      faults: [...faults, ...findWrongBalances(database, range)],
    };
  },
};

/** Each entry states the balance after it. */
function findWrongBalances(database: Database, range: LedgerRange): string[] {
  const wrong = queryRows<{ id: string; balance_after: bigint; folded: bigint }>(
    database,
    `SELECT id, balance_after, folded FROM (SELECT id, balance_after, ${range.from.accounts.balance} +
       sum(CASE 'balance' WHEN to_account THEN amount WHEN from_account THEN -amount ELSE 0 END)
         OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) AS folded FROM ledger_entries WHERE ${inRange(range)})
     WHERE balance_after <> folded`,
  );
  return limitFaults(
    wrong.map(
      ({ id, balance_after, folded }) =>
        `${id} says that the balance came to ${formatNano(balance_after)}; the entries up to it make ${formatNano(folded)}.`,
    ),
  );
}

const oneChargeARequest: Check = {
  title: "I6 one charge per request",
  run(database, _nowMs, range) {
    const doubles = queryRows<{ request_id: string; kind: string; n: bigint }>(
      database,
      `SELECT request_id, kind, count(*) AS n FROM ledger_entries WHERE ${inRange(range)} AND request_id IS NOT NULL
       AND kind <> 'correction' GROUP BY request_id, kind HAVING n > 1`,
    );
    const faults = doubles.map(
      ({ request_id, kind, n }) =>
        `${request_id} has ${n} entries of kind ${kind}: give back all but one by corrections of them.`,
    );
    const before = chargeBases.reduce((sum, basis) => sum + range.from.charges[basis].calls, 0n);
    const charges =
      before + countRows(database, `FROM ledger_entries WHERE ${inRange(range)} AND kind = 'charge'`);
    return { checked: formatCount(charges, "charge"), faults: limitFaults(faults) };
  },
};

export const ledgerChecks: readonly Check[] = [
  accountsAddUpToZero,
  nothingIsOverdrawn,
  entriesAreImmutable,
  oneChargeARequest,
  balancesAreTheSums,
];

export interface CorrectionRow {
  readonly id: string;
  readonly corrects: string;
  readonly kind: string | null;
  readonly whole: bigint | null;
  readonly corrected: bigint;
  readonly is_later: bigint | boolean | null;
  /** Whether project, model, key and call are those of the corrected entry. */
  readonly is_alike: bigint | boolean | null;
}

export const CORRECTIONS_ARE_WITHIN =
  "I22 a correction names an earlier payment or charge, and the corrections of an entry never exceed it";

/** The SQL of the corrections in the range, with all earlier corrections of the same entries, on both engines. */
export function selectCorrections(range: LedgerRange): string {
  const isSame = (column: string) => `entry.${column} IS NOT DISTINCT FROM correction.${column}`;
  return `SELECT correction.id, correction.corrects, entry.kind, entry.amount AS whole, entry.seq < correction.seq AS is_later,
      ${["request_id", "project_id", "key_id", "model"].map(isSame).join(" AND ")} AS is_alike,
      (SELECT CAST(sum(amount) AS bigint) FROM ledger_entries AS other
        WHERE other.kind = 'correction' AND other.corrects = correction.corrects AND other.seq <= ${range.to}) AS corrected
    FROM ledger_entries AS correction LEFT JOIN ledger_entries AS entry ON entry.id = correction.corrects
    WHERE ${isRareKind(["correction"], "correction")} AND ${inRange(range, "correction.seq")}`;
}

/** The SQL of how many corrections there are, on both engines. */
export const countCorrections = ({ to }: LedgerRange) =>
  `SELECT count(*) AS n FROM ledger_entries WHERE ${isRareKind(["correction"])} AND seq <= ${to}`;

export const correctionCheck: Check = {
  title: CORRECTIONS_ARE_WITHIN,
  run(database, _nowMs, range) {
    const rows = queryRows<CorrectionRow>(database, selectCorrections(range));
    const [sum] = queryRows<{ n: bigint }>(database, countCorrections(range));
    const count = sum?.n ?? 0n;
    return {
      checked: formatCount(count, "correction"),
      faults: limitFaults(rows.flatMap(findCorrectionFaults)),
    };
  },
};

export function findCorrectionFaults(row: CorrectionRow): string[] {
  const { id, corrects, kind, whole: fullAmount, corrected } = row;
  if (kind === null || fullAmount === null) return [`${id} corrects ${corrects}, which is no entry. ${MEND}`];
  if (kind !== "payment" && kind !== "charge")
    return [`${id} corrects ${corrects}, which is a ${kind.replace("_", " ")}. ${MEND}`];
  if (!row.is_later) return [`${id} corrects ${corrects}, which was entered after it. ${MEND}`];
  if (!row.is_alike) return [`${id} names another project, key, model or call than ${corrects}. ${MEND}`];
  if (corrected > fullAmount)
    return [
      `The corrections of ${corrects} add up to ${formatNano(corrected)} of ${formatNano(fullAmount)}; ${id} is one of them. ${MEND}`,
    ];
  return [];
}

const MEND = "Something wrote to the database by hand: compare with a backup.";
