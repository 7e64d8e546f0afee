import { join } from "node:path";
import { openSqlite } from "@/lib/gateway/database/open-sqlite";

// Run as `bun e2e/support/scripts/forge-usage.ts DATA_FOLDER REQUEST`: changes a charge's usage, around the ledger's
// guards.
const [dataFolder = "", requestId = ""] = process.argv.slice(2);
using sqlite = openSqlite(join(dataFolder, "gatehouse.sqlite"));
sqlite.run("DROP TRIGGER ledger_entries_are_not_changed");
sqlite.run("UPDATE ledger_entries SET completion_tokens = completion_tokens + 1 WHERE request_id = ?", [
  requestId,
]);
