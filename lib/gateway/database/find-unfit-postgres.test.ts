import { expect, test } from "bun:test";
import pg from "pg";
import { type AskPostgres, findUnfitPostgres } from "./find-unfit-postgres.sql";
import { migratePostgres } from "./migrate-postgres";
import { createPostgresQueries, openPostgresPool } from "./postgres";
import { openTemporaryPostgres } from "./testing/open-temporary-postgres";

const fit = { version: "17.2", number: "170002", encoding: "UTF8", recovering: false, in_bytes: true };
const answer =
  (facts: object): AskPostgres =>
  async <Row>() => [{ ...fit, ...facts } as Row];

test.each([
  ["as it should be", {}, null],
  ["of an old version", { version: "14.9", number: "140009" }, "is 14.9: Gatehouse needs 15 or newer"],
  ["that is a standby", { recovering: true }, "name the primary"],
  ["of another encoding", { encoding: "LATIN1" }, "LOCALE 'C'"],
  ["that sorts as a language", { in_bytes: false }, "LOCALE 'C'"],
])("PostgreSQL %s is used, or refused with what mends it", async (_name, facts, said) => {
  const fault = await findUnfitPostgres(answer(facts));
  if (said === null) expect(fault).toBeNull();
  else expect(fault).toContain(said);
});

test("a start in a database of another encoding is refused, and makes no table", async () => {
  const store = await openTemporaryPostgres();
  const client = new pg.Client(store.url);
  await client.connect();
  const name = `ascii_${Date.now()}`;
  await client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'`);
  const queries = createPostgresQueries(openPostgresPool(store.url.replace(/[^/]*$/, name), 1));
  await expect(migratePostgres(queries)).rejects.toThrow("is encoded in SQL_ASCII");
  expect(await queries.introspection.getTables()).toEqual([]);
  await queries.destroy();
  await client.query(`DROP DATABASE ${name}`);
  await client.end();
  await store.remove();
}, 60_000);
