import { sql } from "kysely";
import { addMigration } from "@/lib/gateway/database/testing/add-migration";

// A gateway's preload: it is of the next version, which adds a column and an index.

addMigration({
  name: "9000-next-version",
  addsOnly: true,
  async up(queries) {
    await sql`ALTER TABLE projects ADD COLUMN motto text`.execute(queries);
    await sql`CREATE INDEX projects_by_motto ON projects (motto)`.execute(queries);
  },
});
