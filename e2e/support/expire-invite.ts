import { join } from "node:path";
import { writeBeside } from "./write-beside";

// A program: `bun e2e/support/expire-invite.ts DATA_FOLDER EMAIL` lets an invitation run out in the data of a gateway.
const [dataFolder = "", email = ""] = process.argv.slice(2);
await writeBeside(join(dataFolder, "gatehouse.sqlite"), async (queries) => {
  await queries.updateTable("invites").set({ expires_at_ms: 1 }).where("email", "=", email).execute();
});
