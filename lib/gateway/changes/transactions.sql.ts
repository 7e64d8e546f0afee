import type { Database as Sqlite } from "bun:sqlite";
import { createQueryBuilder, type Database } from "../database/database";
import type { AuditChange } from "./audit/audit-event";
import { AuditTrail } from "./audit/audit-trail.sql";
import type { Transaction, Transactions } from "./transaction";

/** The units of work in progress, each with its queries. */
const underWay = new WeakMap<Transaction, Database>();

/** The queries of a unit of work. @throws Error if it has ended. */
export function within(transaction: Transaction): Database {
  const queries = underWay.get(transaction);
  if (!queries) throw new Error("This unit of work has ended: nothing is written in it any more");
  return queries;
}

interface StoreTransactions extends Transactions {
  /** Closes the connection. */
  close(): Promise<void>;
}

/** Runs units of work on a connection that nothing else writes with. Nothing is committed if `guard` throws. */
export function createTransactions(sqlite: Sqlite, guard: () => void = () => {}): StoreTransactions {
  const database = createQueryBuilder(sqlite);
  const trail = new AuditTrail(sqlite);
  return {
    close: () => database.destroy(),
    run: (event, work) =>
      database.transaction().execute(async (queries) => {
        const transaction = {} as Transaction;
        underWay.set(transaction, queries);
        try {
          const result = await work(transaction);
          guard();
          trail.log(event);
          return result;
        } finally {
          underWay.delete(transaction);
        }
      }),
  };
}

/** Names an object in the transaction's audit event, for actions on rows that no trigger records. */
export async function noteAction(
  transaction: Transaction,
  { object, id, project_id }: Pick<AuditChange, "object" | "id" | "project_id">,
): Promise<void> {
  const action = { object, id, subject_id: null, project_id, before: null, after: null };
  await within(transaction).insertInto("audit_pending").values(action).execute();
}
