import { writeBeside } from "../stored-data/query-database";

// Run as `bun e2e/support/scripts/expire-invite.ts DATA_FOLDER EMAIL`: expires an invitation in a gateway's data.
const [dataFolder = "", email = ""] = process.argv.slice(2);
await writeBeside({ dataFolder }, async (queries) => {
  await queries.updateTable("invites").set({ expires_at_ms: 1 }).where("email", "=", email).execute();
});
