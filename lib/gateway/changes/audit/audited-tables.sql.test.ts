import { expect, test } from "bun:test";
import { sql } from "kysely";
import { openSqlite } from "../../database/open-sqlite";
import type { Tables } from "../../database/schema";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { auditedTables, installTriggers } from "./audited-tables.sql";

test("every table of the database is audited, or said not to be", async () => {
  await using temporary = await openTemporarySqlite();
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'kysely_%' AND name NOT LIKE 'sqlite_%'
  `.execute(temporary.reads);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(auditedTables).toSorted());
});

test("every column of an audited table is in the event, or masked", async () => {
  await using temporary = await openTemporarySqlite();
  for (const [table, how] of Object.entries(auditedTables)) {
    if (!how) continue;
    const { rows } = await sql<{ name: string }>`SELECT name FROM pragma_table_info(${table})`.execute(
      temporary.reads,
    );
    // A logo is no secret, but too large for an event.
    const suspicious = rows
      .map(({ name }) => name)
      .filter((name) => /hash|secret|sealed|password|token$|_codes$|^logo$/.test(name));
    expect([table, suspicious.toSorted()]).toEqual([table, [...(how.secret ?? [])].toSorted()]);
  }
});

test("a column that is added and a table that is made anew are audited from then on", async () => {
  await using temporary = await openTemporarySqlite();
  const { reads, write } = temporary;
  using sqlite = openSqlite(temporary.path);
  sqlite.run("ALTER TABLE groups ADD COLUMN colour TEXT");
  sqlite.run("DROP TABLE invites");
  sqlite.run("CREATE TABLE invites (id TEXT PRIMARY KEY, hash TEXT) STRICT");
  installTriggers(sqlite);
  const named = { id: "group_1", name: "Team", created_at_ms: 1, colour: "red" };
  const group = { ...named, external_id: null, is_scim_managed: 0 };
  await write((queries) => queries.insertInto("groups").values(group).execute());
  await write((queries) =>
    sql`INSERT INTO invites (id, hash) VALUES ('invite_1', 'canary')`.execute(queries),
  );
  const events = await reads.selectFrom("audit_logs").select("changes").orderBy("seq").execute();
  const told = events.map(({ changes }) => JSON.parse(changes)[0].after);
  expect(told).toEqual([group, { id: "invite_1", hash: "***canary" }]);
  const changed = { name: "Team", id: "group_1" } satisfies Partial<Tables["groups"]>;
  await write((queries) => queries.updateTable("groups").set(changed).execute());
  expect((await reads.selectFrom("audit_logs").select("seq").execute()).length).toBe(3);
});
