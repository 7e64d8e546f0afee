import { hashSecret } from "@/lib/gateway/secrets/secret";
import { writeBeside } from "../stored-data/query-database";

// Run as `bun e2e/support/scripts/pause-attempts.ts DATA_FOLDER NAME`: makes further attempts counted under NAME wait
// for a minute.
const [dataFolder = "", name = ""] = process.argv.slice(2);
const now = { count: name.startsWith("password in ") ? 16 : 11, last_at_ms: Date.now() };
await writeBeside({ dataFolder }, async (queries) => {
  await queries
    .insertInto("sign_in_attempts")
    .values({ name: hashSecret(name), ...now })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(now))
    .execute();
});
