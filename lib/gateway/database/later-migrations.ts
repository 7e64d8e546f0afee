import { sql } from "kysely";
import type { Migration } from "./migration";

/** Whether a project refuses calls whose tools a provider would run without a price. */
const hostedTools: Migration = {
  name: "0285-hosted-tools",
  // A version that ignores it leaves out what it should refuse.
  async up(queries) {
    await sql`ALTER TABLE projects ADD COLUMN hosted_tools TEXT`.execute(queries);
  },
};

/** Those that follow the ones of `migrations`, in the order in which they run. */
export const laterMigrations: readonly Migration[] = [hostedTools];
