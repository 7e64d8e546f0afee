import type { Database } from "@/lib/gateway/store/database";
import { openSqlite } from "@/lib/gateway/store/open-sqlite";
import { testRequest } from "@/lib/gateway/store/testing/open-temporary-database";
import { createTransactions, within } from "@/lib/gateway/store/transactions";

/** Changes a gateway's data directly, with an audit event as the triggers require. */
export async function writeBeside(path: string, work: (queries: Database) => Promise<void>): Promise<void> {
  using sqlite = openSqlite(path);
  await createTransactions(sqlite).run(testRequest.event, (transaction) => work(within(transaction)));
}
