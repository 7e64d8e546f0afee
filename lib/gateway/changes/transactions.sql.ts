import type { Database as Sqlite } from "bun:sqlite";
import { createQueryBuilder, type Database } from "../database/database";
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
