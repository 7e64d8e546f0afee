import { join } from "node:path";
import { hashSecret } from "@/lib/gateway/secrets/hash-secret";
import { openDatabase } from "@/lib/gateway/store/database";

// A program: `bun e2e/support/pause-attempts.ts DATA_FOLDER NAME` makes whoever is counted under NAME wait a minute.
const [dataFolder = "", name = ""] = process.argv.slice(2);
const database = openDatabase(join(dataFolder, "gatehouse.sqlite"));
const now = { count: name.startsWith("password in ") ? 16 : 11, last_at_ms: Date.now() };
await database
  .insertInto("sign_in_attempts")
  .values({ name: hashSecret(name), ...now })
  .onConflict((conflict) => conflict.column("name").doUpdateSet(now))
  .execute();
await database.destroy();
