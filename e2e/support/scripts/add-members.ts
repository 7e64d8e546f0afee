import { writeBeside } from "../stored-data/query-database";

// Run as `bun e2e/support/scripts/add-members.ts DATA_FOLDER COUNT`: adds members Person 1 to Person COUNT, the last
// of them newest, beside a running gateway.
const [dataFolder = "", count = "0"] = process.argv.slice(2);
const users = Array.from({ length: Number(count) }, (_, index) => ({
  id: `user_${String(index + 1).padStart(26, "0")}`,
  email: `person${index + 1}@example.com`,
  name: `Person ${index + 1}`,
  developer_persona: null,
  technical_level: null,
  created_at_ms: Date.now() - (Number(count) - index) * 1000,
  removed_at_ms: null,
}));
const AT_ONCE = 100;
await writeBeside({ dataFolder }, async (queries) => {
  for (let from = 0; from < users.length; from += AT_ONCE) {
    await queries
      .insertInto("users")
      .values(users.slice(from, from + AT_ONCE))
      .execute();
  }
});
