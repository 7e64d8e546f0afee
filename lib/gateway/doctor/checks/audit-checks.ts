import type { Database } from "bun:sqlite";
import { toNano } from "@/lib/money/amount";
import { type AuditHead, formatAuditHead, verifyAuditChain } from "../../changes/audit/audit-chain.sql";
import { type AuditedRow, buildAuditedRowKey, foldAuditLog } from "../../changes/audit/audit-trail.sql";
import {
  buildAuditedRowsQuery,
  buildAuditTriggers,
  maskRow,
  TABLE_COLUMNS,
  type TableColumns,
} from "../../changes/audit/audited-tables.sql";
import { findKeptHead, findLoss, StoreFault, type StoreHead } from "../../database/store-head";
import {
  CHAINED_COLUMNS,
  type ChainedEntry,
  type ChainedValues,
  hashBatch,
  hashBatchOfHashes,
  toChainedValues,
} from "../../ledger/ledger-row";
import { correctionChange, paymentChange } from "../../ledger/payments/posting";
import { isRareKind } from "../../ledger/reads/ledger-conditions.sql";
import { maskSecrets } from "../../secrets/secret";
import {
  type Check,
  countRows,
  findGuardFaults,
  formatCount,
  inRange,
  type LedgerRange,
  limitFaults,
  queryRows,
  readTriggers,
} from "./check";

/** The triggers that protect the log from changes. */
const GUARDS = ["audit_logs_are_not_changed", "audit_logs_are_not_deleted", "audit_logs_only_grow"];

/** `knownHead` is a head that was exported earlier: the log must still contain it. */
export const auditCheck = (knownHead?: AuditHead): Check => ({
  title: "I8 the audit log is unbroken",
  run(database) {
    if (countRows(database, "FROM sqlite_master WHERE name = 'audit_logs'") === 0n) {
      return { checked: "no log", faults: ["There is no audit log yet: start Gatehouse once."] };
    }
    const { fault, head } = verifyAuditChain(database, knownHead);
    const chainFault =
      fault && `${fault.message}: somebody wrote to the database by hand. Compare with a backup.`;
    const since = knownHead && !fault ? `, which follows ${formatAuditHead(knownHead)}` : "";
    return {
      checked: `${formatCount(head.length, "event")}, head ${formatAuditHead(head)}${since}`,
      faults: [
        ...(chainFault ? [chainFault] : []),
        ...findGuardFaults(database, GUARDS),
        ...findWatchFaults(database),
      ],
    };
  },
});

/** The triggers that record changes must be present on every audited table. */
function findWatchFaults(database: Database): string[] {
  const present = readTriggers(database);
  return queryRows<TableColumns>(database, TABLE_COLUMNS)
    .flatMap(buildAuditTriggers)
    .flatMap(({ name, sql }) => {
      if (present.get(name) === sql) return [];
      const what = present.has(name) ? "is another than this version of Gatehouse makes" : "is gone";
      return [
        `The trigger ${name} ${what}: changes may have escaped the log. Restart the gateway, or restore a backup.`,
      ];
    });
}

/** The head stored next to the database; null if there is none, as with a backup; a fault if it can't be read. */
export type KeptHead = StoreHead | StoreFault | null;

export function readKeptHead(dataFolder: string): KeptHead {
  try {
    return findKeptHead(dataFolder);
  } catch (error) {
    if (error instanceof StoreFault) return error;
    throw error;
  }
}

export const chainCheck = (kept: KeptHead): Check => ({
  title: "I11 no ledger entry was altered, and none is missing at the end",
  run(database, _nowMs, range) {
    if (countRows(database, "FROM sqlite_master WHERE name = 'ledger_chain'") === 0n)
      return { checked: "no chain", faults: ["The ledger is in no chain yet: start Gatehouse once."] };
    const chainFault = findBrokenBatch(database, range);
    const keptHead = kept instanceof StoreFault ? null : kept;
    const loss = keptHead && findLoss(database, keptHead);
    const faults = [
      ...(chainFault ? [`${chainFault} Compare with a backup.`] : []),
      ...(kept instanceof StoreFault ? [kept.message] : []),
      ...(loss
        ? [
            `The database is behind the head kept beside it: ${loss}. Its log was cut off, or an older copy was put in its place; restore a newer backup.`,
          ]
        : []),
    ];
    const beside = keptHead
      ? `, ${keptHead.ledger.length} noted beside the store`
      : ", none noted beside the store";
    return { checked: `${formatCount(range.to, "entry", "entries")}${beside}`, faults };
  },
});

/** The first batch whose hash doesn't match its entries and the batch before it. */
function findBrokenBatch(database: Database, range: LedgerRange): string | null {
  const rows = database.query<ChainedEntry & { seq: number | bigint; hash: Uint8Array | null }, []>(
    `SELECT seq, hash, ${CHAINED_COLUMNS.join(", ")} FROM ledger_entries
     WHERE ${inRange(range)} AND (seq > (SELECT starts_after FROM ledger_chain) OR hash IS NOT NULL) ORDER BY seq`,
  );
  let previous = range.from.hash;
  let batch: ChainedValues[] = [];
  for (const row of rows.iterate()) {
    batch.push(toChainedValues(row));
    const { hash } = row;
    if (hash === null) continue;
    const stored = Buffer.from(hash);
    // A store of several processes hashes the hashes of its entries.
    if (!stored.equals(hashBatch(previous, batch)) && !stored.equals(hashBatchOfHashes(previous, batch)))
      return `The batch that ends with entry ${row.seq} (${row.id}) is not as it was written.`;
    [previous, batch] = [hash, []];
  }
  return batch.length > 0 ? `The last ${batch.length} entries are in no batch.` : null;
}

type Fields = Readonly<Record<string, unknown>>;
type Log = ReturnType<typeof foldAuditLog>;

/** Replaces a hash in events from before its last digits were kept. */
const MASK = "***";

/** The key of a row in events from before ids were exempt from masking. Several rows may have had the same. */
const toFormerKey = maskSecrets;

function listFormerKeys(keys: readonly string[]): ReadonlySet<string> {
  return new Set(keys.map(toFormerKey).filter((formerKey, index) => formerKey !== keys[index]));
}

/**
 * Compares the tables with the audit log, which finds a row that was written around the log even if all sums agree.
 */
export const auditedRowsCheck: Check = {
  title: "I12 every audited row is as its last audit event left it",
  run(database) {
    const log = readLog(database);
    const faults: string[] = [];
    const seenKeys = new Set<string>();
    for (const current of readCurrentRows(database)) {
      const { audited } = current;
      const key = buildAuditedRowKey(audited);
      if (seenKeys.has(key)) faults.push(`${describeRow(audited)} is there twice, and the log knows one.`);
      seenKeys.add(key);
      if (!log.has(key) && log.has(toFormerKey(key))) continue;
      const fault = findDifference(current, log.get(key)?.state);
      if (fault) faults.push(`${describeRow(audited)} ${fault}.`);
    }
    const formerKeys = listFormerKeys([...seenKeys, ...log.keys()]);
    for (const [key, { audited, state }] of log) {
      if (state !== null && !seenKeys.has(key) && !formerKeys.has(key))
        faults.push(`${describeRow(audited)} is gone, and no event says so.`);
    }
    const mend = (fault: string) => `${fault} Somebody wrote to the database by hand: compare with a backup.`;
    return { checked: formatCount(seenKeys.size, "row"), faults: limitFaults(faults.map(mend)) };
  },
};

function readLog(database: Database): Log {
  const tables = new Set(queryRows<TableColumns>(database, TABLE_COLUMNS).map(({ name }) => name));
  const events = database.prepare<{ type: string; changes: string }, []>(
    "SELECT type, changes FROM audit_logs ORDER BY seq",
  );
  const log = foldAuditLog(() => events.iterate());
  for (const [key, { audited }] of log) if (!tables.has(audited.object)) log.delete(key);
  return log;
}

interface CurrentRow {
  readonly audited: AuditedRow;
  /** The row as events had it before ids were exempt from masking. */
  readonly formerRow: Fields;
  /** Keyed by column: the value of a row that no audit event mentions. */
  readonly defaults: ReadonlyMap<string, string | null>;
}

function* readCurrentRows(database: Database): Generator<CurrentRow> {
  for (const table of queryRows<TableColumns>(database, TABLE_COLUMNS)) {
    const sql = buildAuditedRowsQuery(table);
    if (sql === null) continue;
    const columns = queryRows<{ name: string; dflt_value: string | null }>(
      database,
      `SELECT name, dflt_value FROM pragma_table_info('${table.name}')`,
    );
    const defaults = new Map(columns.map(({ name, dflt_value }) => [name, dflt_value]));
    const rows = database.prepare<Omit<AuditedRow, "row" | "object"> & { after: string }, []>(sql);
    for (const { after, ...row } of rows.iterate()) {
      yield toCurrentRow({ object: table.name, ...row, row: JSON.parse(after) }, defaults);
    }
  }
  const postings = database.prepare<PostingRow, []>(
    `SELECT id, amount, reference, note, paid_on, corrects, reason, project_id, created_at_ms AS at FROM ledger_entries
     WHERE ${isRareKind(["payment", "correction"])} ORDER BY seq`,
  );
  for (const posting of postings.iterate()) {
    const { after, ...change } = describePosting(posting);
    yield toCurrentRow({ ...change, row: after ?? {} }, new Map());
  }
}

function toCurrentRow(stored: AuditedRow, defaults: CurrentRow["defaults"]): CurrentRow {
  const formerRow = JSON.parse(maskSecrets(JSON.stringify(stored.row))) as Fields;
  return { audited: { ...stored, row: maskRow(stored.object, stored.row) }, formerRow, defaults };
}

/** A payment or a correction. */
interface PostingRow {
  readonly id: string;
  readonly amount: bigint;
  readonly reference: string | null;
  readonly note: string | null;
  readonly paid_on: string | null;
  readonly corrects: string | null;
  readonly reason: string | null;
  readonly project_id: string | null;
  readonly at: bigint;
}

function describePosting({ id, amount, reference, note, paid_on, corrects, ...rest }: PostingRow) {
  const { reason, project_id, at } = rest;
  const posting = { id, amount: toNano(amount), createdAtMs: Number(at) };
  if (corrects === null) return paymentChange({ ...posting, reference, note, paidOn: paid_on });
  return correctionChange({ ...posting, corrects, reason: reason ?? "" }, project_id);
}

function describeRow({ object, id, subject_id, project_id }: AuditedRow): string {
  const scopeIds = [subject_id, project_id].filter((part) => part !== null && part !== id);
  return `${object} ${[id, ...scopeIds].join(" of ")}`;
}

/** Null if the row matches the log. */
function findDifference(
  { audited: { row }, formerRow, defaults }: CurrentRow,
  logged: Fields | null | undefined,
): string | null {
  if (logged === undefined) return "is in no audit event";
  if (logged === null) return "was deleted, says its last audit event, and is there";
  for (const [column, value] of Object.entries(row)) {
    if (column in logged) {
      const was = logged[column];
      if (was === value || was === formerRow[column] || (was === MASK && value !== null)) continue;
      return `has ${column} ${JSON.stringify(value)}, and its last audit event says ${JSON.stringify(was)}`;
    }
    const usual = defaults.get(column) ?? null;
    if (value === null || String(value) === usual?.replace(/^'(.*)'$/, "$1")) continue;
    return `has ${column} ${JSON.stringify(value)}, of which no audit event tells`;
  }
  return null;
}
