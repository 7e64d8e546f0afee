import { join } from "node:path";
import { openDatabase } from "@/lib/gateway/store/database";

// A program: `bun e2e/support/expire-invite.ts DATA_FOLDER EMAIL` lets an invitation run out in the data of a gateway.
const [dataFolder = "", email = ""] = process.argv.slice(2);
const database = openDatabase(join(dataFolder, "gatehouse.sqlite"));
await database.updateTable("invites").set({ expires_at_ms: 1 }).where("email", "=", email).execute();
await database.destroy();
