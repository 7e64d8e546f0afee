import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { migratePostgres } from "./migrate-postgres";
import type { Migration } from "./migration";
import { migrations } from "./migrations";
import { openTemporaryPostgres } from "./testing/open-temporary-postgres";

let store: Awaited<ReturnType<typeof openTemporaryPostgres>>;
let open: ReturnType<typeof store.open>;

beforeAll(async () => {
  store = await openTemporaryPostgres();
  open = store.open();
}, 60_000);

afterAll(async () => {
  await open?.close();
  await store?.remove();
});

const expansion: Migration = {
  name: "9000-motto",
  addsOnly: true,
  up: async (queries) => void (await sql`ALTER TABLE projects ADD COLUMN motto text`.execute(queries)),
};
const contraction: Migration = {
  name: "9001-renamed",
  up: async (queries) => void (await sql`ALTER TABLE body_settings RENAME TO kept_bodies`.execute(queries)),
};
const readProcedure = async () =>
  (
    await sql<{ body: string }>`SELECT prosrc AS body FROM pg_proc WHERE proname = 'take_over_v1'`.execute(
      open.reads,
    )
  ).rows;

test("a version starts on what the next one has added to, and leaves its procedures as they are", async () => {
  await migratePostgres(open.reads, [...migrations, expansion]);
  await sql`CREATE OR REPLACE FUNCTION take_over_v1(me text) RETURNS bigint LANGUAGE sql AS 'SELECT 7::bigint'`.execute(
    open.reads,
  );
  const ofNext = await readProcedure();
  await migratePostgres(open.reads, migrations);
  expect(await readProcedure()).toEqual(ofNext);
  await migratePostgres(open.reads, [...migrations, expansion]);
  expect(await readProcedure()).not.toEqual(ofNext);
});

test.each(["0260-directory", "0275-more-access-requests"])(
  "a version before %s doesn't start beside it, since it would ignore what that one enforces",
  async (name) => {
    const before = migrations.slice(
      0,
      migrations.findIndex((migration) => migration.name === name),
    );
    await expect(migratePostgres(open.reads, before)).rejects.toThrow(`added "${name}": start that version`);
  },
);

test("a version that lacks a migration which takes something away doesn't start", async () => {
  await migratePostgres(open.reads, [...migrations, expansion, contraction]);
  await expect(migratePostgres(open.reads, migrations)).rejects.toThrow(
    'added "9001-renamed": start that version',
  );
  await migratePostgres(open.reads, [...migrations, expansion, contraction]);
});
