import { afterAll, beforeAll, expect, test } from "bun:test";
import pg from "pg";
import { openTemporaryPostgres } from "../database/testing/open-temporary-postgres";
import { PostgresListener } from "./postgres-listener";

let store: Awaited<ReturnType<typeof openTemporaryPostgres>>;
let client: pg.Client;

beforeAll(async () => {
  store = await openTemporaryPostgres();
  client = new pg.Client(store.url);
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await store?.remove();
});

test("hears each change, and again after its connection was cut, when it says that it may have missed some", async () => {
  let next = Promise.withResolvers<void>();
  let heard = 0;
  const listener = new PostgresListener(store.url, () => {
    heard++;
    next.resolve();
    next = Promise.withResolvers();
  });
  await next.promise;
  expect([listener.isHearing, heard]).toEqual([true, 1]);
  const told = next.promise;
  await client.query("NOTIFY gatehouse_changes");
  await told;
  expect(heard).toBe(2);
  const heardAgain = next.promise;
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'gatehouse feed' AND datname = current_database()`);
  await heardAgain;
  expect([listener.isHearing, heard]).toEqual([true, 3]);
  await listener.close();
  expect(listener.isHearing).toBe(false);
}, 60_000);
