import type { Transaction, Transactions } from "../changes/transaction";
import type { AuditTrail } from "./audit-trail";
import type { Database } from "./database";

/** Those under way, each with the queries that belong to it. */
const underWay = new WeakMap<Transaction, Database>();

/** The queries of a unit of work. @throws Error where it has ended. */
export function within(transaction: Transaction): Database {
  const queries = underWay.get(transaction);
  if (!queries) throw new Error("This unit of work has ended: nothing is written in it any more");
  return queries;
}

export function createTransactions(database: Database, trail: AuditTrail): Transactions {
  return {
    run: (event, work) =>
      database.transaction().execute(async (queries) => {
        const transaction = {} as Transaction;
        underWay.set(transaction, queries);
        try {
          const result = await work(transaction);
          trail.log(event);
          return result;
        } finally {
          underWay.delete(transaction);
        }
      }),
  };
}
