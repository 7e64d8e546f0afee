import { join } from "node:path";
import { openSqlite } from "@/lib/gateway/database/open-sqlite";
import { writeMonth } from "../stored-data/write-month";

// Run as `bun e2e/support/scripts/write-month-at.ts DATA_FOLDER PROJECT MS`: writes a payment of 50.00 and two charged
// calls at that time.
const [dataFolder = "", projectId = "", atMs = ""] = process.argv.slice(2);
using sqlite = openSqlite(join(dataFolder, "gatehouse.sqlite"), { safeIntegers: true });
writeMonth(sqlite, { projectId, atMs: Number(atMs), name: "past", isPaid: true });
