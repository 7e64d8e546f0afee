import type { Database as Sqlite } from "bun:sqlite";
import { sql } from "kysely";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { createQueryBuilder, type Database, type Reads } from "../database/database";
import type { AuditChange, AuditContext } from "./audit/audit-event";
import { AuditTrail, appendEvent, appendEvents, computeNetChanges } from "./audit/audit-trail.sql";
import type { ChangedRow, CommittedChange } from "./table-cache";

/** The units of work in progress, each with its queries. */
const underWay = new WeakMap<Transaction, Database>();

/** The queries of a unit of work. @throws Error if it has ended. */
export function within(transaction: Transaction): Database {
  const queries = underWay.get(transaction);
  if (!queries) throw new Error("This unit of work has ended: nothing is written in it any more");
  return queries;
}

/** The queries for reads in the unit of work, which see its own writes. */
export const readsOf = within;

interface StoreTransactions extends Transactions {
  /** Closes the connection. */
  close(): Promise<void>;
}

/** Runs units of work on a connection that nothing else writes with. Nothing is committed if `guard` throws. */
export function createTransactions(sqlite: Sqlite, guard: () => void = () => {}): StoreTransactions {
  const trail = new AuditTrail(sqlite);
  return runOn(createQueryBuilder(sqlite), {
    begin: async () => {},
    async end(_queries, event) {
      if (event.eachOf) await trail.logEach({ ...event, ...event.eachOf }, event.eachOf.object);
      guard();
      return trail.log(event);
    },
  });
}

/**
 * Units of work on a database: `begin` is the first thing in each transaction, and `end`, which logs what was changed,
 * the last one in it and in each part of it.
 */
function runOn(
  database: Database,
  engine: {
    begin(queries: Database): Promise<void>;
    end(queries: Database, event: AuditContext): Promise<readonly AuditChange[]>;
  },
): StoreTransactions {
  return {
    close: () => database.destroy(),
    logPart: (transaction, event) => engine.end(within(transaction), event),
    run: (event, work) =>
      database.transaction().execute(async (queries) => {
        await engine.begin(queries);
        const transaction = {} as Transaction;
        underWay.set(transaction, queries);
        try {
          const result = await work(transaction);
          await engine.end(queries, event);
          return result;
        } finally {
          underWay.delete(transaction);
        }
      }),
  };
}

/** Of the lock under which one unit of work after the other runs, in all processes: a number that nothing else uses. */
const CHANGE_LOCK = 720_101;

/** Where each process hears of the others' changes. */
export const CHANGE_CHANNEL = "gatehouse_changes";

/** Runs units of work on PostgreSQL, one after another in all processes. */
export function createPostgresTransactions(database: Database): StoreTransactions {
  return runOn(database, { begin: takeChangeLock, end: logPending });
}

/** Makes this transaction the only one that changes anything until it ends. */
export async function takeChangeLock(queries: Database): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${CHANGE_LOCK})`.execute(queries);
}

/** Turns the transaction's changes into its event, as `AuditTrail` does on SQLite, and tells the other processes. */
export async function logPending(queries: Database, context: AuditContext): Promise<readonly AuditChange[]> {
  const pending = await queries.deleteFrom("audit_pending").returningAll().execute();
  if (pending.length === 0) return [];
  const rows = pending.toSorted((one, other) => one.seq - other.seq);
  const { eachOf } = context;
  const isApart = ({ object }: { object: string }) => object === eachOf?.object;
  const apart = computeNetChanges(rows.filter(isApart));
  const others = computeNetChanges(rows.filter((row) => !isApart(row)));
  if (eachOf) await appendEvents(queries, { ...context, ...eachOf }, apart);
  if (others.length > 0) await appendEvent(queries, context, others);
  // They hear of it once it is committed.
  await sql`SELECT pg_notify(${CHANGE_CHANNEL}, '')`.execute(queries);
  return [...apart, ...others];
}

/** Names an object in the transaction's audit event, for actions on rows that no trigger records. */
export async function noteAction(
  transaction: Transaction,
  { object, id, project_id }: Pick<AuditChange, "object" | "id" | "project_id">,
): Promise<void> {
  const action = { object, id, subject_id: null, project_id, before: null, after: null };
  await within(transaction).insertInto("audit_pending").values(action).execute();
}

/** The source of committed changes: the audit log. */
export type ChangeLog = ReturnType<typeof createChangeLog>;

/** The audit log as the feed of committed changes. */
export function createChangeLog(reads: Reads) {
  return {
    /** The number of the last change; 0 before the first. */
    async lastNumber(): Promise<number> {
      const last = await reads
        .selectFrom("audit_logs")
        .select("seq")
        .orderBy("seq", "desc")
        .limit(1)
        .execute();
      return last[0]?.seq ?? 0;
    },
    /** The changes after that number, oldest first, at most `limit`. */
    async listAfter(number: number, limit: number): Promise<readonly CommittedChange[]> {
      const rows = await reads
        .selectFrom("audit_logs")
        .select(["seq", "type", "changes"])
        .where("seq", ">", number)
        .orderBy("seq")
        .limit(limit)
        .execute();
      return rows.map(({ seq, type, changes }) => ({
        number: seq,
        // Data about older events in a pruning event is not a change.
        touched: type === otherEvents.auditCut ? [] : (JSON.parse(changes) as AuditChange[]).map(toTouched),
      }));
    },
  };
}

/** The row that a change of the audit log names. */
export function toTouched({ object, id, subject_id, project_id }: AuditChange): ChangedRow {
  return { table: object, id, subjectId: subject_id, projectId: project_id };
}

declare const unitOfWork: unique symbol;

/** A unit of work in progress. Stores write only with one of these, and only `change` and `systemChange` begin one. */
export interface Transaction {
  readonly [unitOfWork]: true;
}

/** Begins units of work on the store. */
export interface Transactions {
  /** Commits everything that `work` writes, together with the audit event as the last statement; or nothing. */
  run<Result>(event: AuditContext, work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Writes what the unit of work has changed so far as an event of its own. @returns its rows. */
  logPart(transaction: Transaction, event: AuditContext): Promise<readonly AuditChange[]>;
}
