import type { Database } from "bun:sqlite";
import { toNano } from "@/lib/money/amount";
import { type AuditedRow, buildAuditedRowKey, foldAuditLog } from "../../changes/audit/audit-trail.sql";
import {
  buildAuditedRowsQuery,
  maskRow,
  TABLE_COLUMNS,
  type TableColumns,
} from "../../changes/audit/audited-tables.sql";
import { correctionChange, paymentChange } from "../../ledger/payments/posting";
import { isRareKind } from "../../ledger/reads/ledger-conditions.sql";
import { maskSecrets } from "../../secrets/mask-secrets";
import { formatCount } from "../format-count";
import { type Check, limitFaults, queryRows } from "./check";

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
