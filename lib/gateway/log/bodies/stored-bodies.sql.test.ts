import { expect, test } from "bun:test";
import { sql } from "kysely";
import { isPostgres } from "../../database/database";
import { openSqlite } from "../../database/open-sqlite";
import { openTemporaryDatabase, openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { openSums } from "../sums/sum-calls.sql";
import { BodyWriter, createStoredBodyReader } from "./stored-bodies.sql";
import type { StoredBody } from "./stored-body";

const key = new Uint8Array(32).fill(1);
const metadata: StoredBody["metadata"] = {
  request_bytes: 1,
  reply_bytes: null,
  parameters: {},
  tools: [],
  messages: [],
  choices: 0,
  finish_reasons: [],
  tool_calls: [],
};
const body = (requestId: string, text = "a canary"): StoredBody => ({
  requestId,
  projectId: "proj_1",
  atMs: 1,
  metadata,
  texts: { request: { text, isCut: false }, reply: null, redacted: 0 },
});

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

async function open() {
  const store = await openTemporaryDatabase();
  return {
    store,
    writer: new BodyWriter(store.direct, { key, random }),
    reader: createStoredBodyReader(store.reads, key),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

test("bodies wait while another writer writes, and are written afterwards", async () => {
  await using store = await openTemporarySqlite();
  const [queries, other] = [openSums(store.path), openSqlite(store.path)];
  const writer = new BodyWriter(queries, { key, random });
  other.run("BEGIN IMMEDIATE");
  writer.add(body("req_1"));
  expect(await writer.write()).toEqual({ written: [], lost: [], fault: null, isEmpty: false });
  other.run("ROLLBACK");
  other.close();
  expect(await writer.write()).toMatchObject({ written: ["req_1"], isEmpty: true });
  expect((await createStoredBodyReader(store.reads, key).findTexts("req_1"))?.request.text).toBe("a canary");
  await queries.destroy();
});

test("drops a body that the store refuses, and writes the following ones", async () => {
  await using opened = await open();
  const { writer, reader, store } = opened;
  const refuse = isPostgres(store.direct)
    ? "ALTER TABLE request_bodies ADD CHECK (id <> 'req_1')"
    : "CREATE TRIGGER refuse BEFORE INSERT ON request_bodies WHEN NEW.id = 'req_1' BEGIN SELECT RAISE(ABORT, 'no'); END";
  await sql.raw(refuse).execute(store.direct);
  writer.add(body("req_1", "x".repeat(2_000_000)));
  writer.add(body("req_2"));
  expect(await writer.write()).toMatchObject({ lost: ["req_1"], fault: expect.anything(), isEmpty: false });
  expect(await writer.write()).toMatchObject({ written: ["req_2"], isEmpty: true });
  expect(await reader.findMetadata("req_1")).toBeNull();
  expect(await reader.findMetadata("req_2")).toEqual({ metadata, isWhole: true });
});

test("a body that was moved under another call, or sealed with another secret, does not open", async () => {
  await using opened = await open();
  const { writer, reader, store } = opened;
  writer.add(body("req_1"));
  await writer.write();
  expect(await createStoredBodyReader(store.reads, new Uint8Array(32)).findTexts("req_1")).toBeNull();
  await sql`UPDATE request_bodies SET id = 'req_2'`.execute(store.direct);
  expect([await reader.findTexts("req_2"), await reader.findMetadata("req_2")]).toEqual([null, null]);
});
