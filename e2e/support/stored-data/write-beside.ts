import { createTransactions, within } from "@/lib/gateway/changes/transactions.sql";
import type { Database } from "@/lib/gateway/database/database";
import { openSqlite } from "@/lib/gateway/database/open-sqlite";
import { testRequest } from "@/lib/gateway/database/testing/open-temporary-database";

/** Changes a gateway's data directly, with an audit event as the triggers require. */
export async function writeBeside(path: string, work: (queries: Database) => Promise<void>): Promise<void> {
  using sqlite = openSqlite(path);
  await createTransactions(sqlite).run(testRequest.event, (transaction) => work(within(transaction)));
}
