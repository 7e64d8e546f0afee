import { join } from "node:path";
import { computeMonthStartMs } from "@/lib/gateway/balance/calendar-month";
import { openSqlite } from "@/lib/gateway/store/database";
import { writeMonth } from "./write-month";

// Run as `bun e2e/support/write-last-month.ts DATA_FOLDER PROJECT [HOURS]`: writes a payment of 50.00 and two charged calls of last
// month, a day or HOURS before its end in UTC.
const [dataFolder = "", projectId = "", hours = "24"] = process.argv.slice(2);
const atMs = computeMonthStartMs(Date.now()) - Number(hours) * 3_600_000;
using sqlite = openSqlite(join(dataFolder, "gatehouse.sqlite"), { safeIntegers: true });
writeMonth(sqlite, { projectId, atMs, name: "past", isPaid: true });
