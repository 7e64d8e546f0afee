import { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { openSqlite } from "../../database/open-sqlite";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { openSqliteFunds } from "../../ledger/funds.sql";
import { verifyAuditChain } from "./audit-chain.sql";

const context = { type: "project.created", atMs: 1_000, requestId: "req_1", ip: "::1", actor: null };
const project = (id: string) => ({ id, name: `Project ${id}`, created_at_ms: 1, archived_at_ms: null });

type Temporary = Awaited<ReturnType<typeof openTemporarySqlite>>;

function insertProject({ write }: Temporary, id: string, atMs = 1) {
  const values = project(id);
  return write((queries) => queries.insertInto("projects").values(values).execute(), { ...context, atMs });
}

async function openLogged(events: number) {
  const temporary = await openTemporarySqlite();
  for (let event = 1; event <= events; event++) {
    await insertProject(temporary, `proj_${event}`, event);
  }
  return temporary;
}

function verify(path: string, known?: { length: number; hash: string }) {
  using sqlite = new Sqlite(path, { readonly: true, safeIntegers: true });
  return verifyAuditChain(sqlite, known);
}

test("a change and its event are committed only together", async () => {
  await using temporary = await openLogged(1);
  using sqlite = openSqlite(temporary.path);
  const insert = "INSERT INTO projects (id, name, created_at_ms) VALUES ('proj_by_hand', 'By hand', 1)";
  expect(() => sqlite.run(insert)).toThrow("FOREIGN KEY constraint failed");
  sqlite.run("PRAGMA foreign_keys = OFF");
  expect(() => sqlite.run(insert)).toThrow("changes are audited");
  sqlite.run("PRAGMA foreign_keys = ON");
  sqlite.run("CREATE TRIGGER full BEFORE INSERT ON audit_logs BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  const change = () => insertProject(temporary, "proj_2");
  expect(await change().catch(String)).toContain("disk full");
  expect((await temporary.reads.selectFrom("projects").select("id").execute()).map(({ id }) => id)).toEqual([
    "proj_1",
  ]);
  sqlite.run("DROP TRIGGER full");
  await change();
  expect(verify(temporary.path)).toMatchObject({ fault: null, head: { length: 2 } });
});

test("writes no event for a change that is rolled back or touches nothing audited", async () => {
  await using temporary = await openLogged(1);
  const undone = temporary.write(async (queries) => {
    await queries.insertInto("projects").values(project("proj_2")).execute();
    throw new Error("undone");
  });
  expect(await undone.catch(String)).toContain("undone");
  await temporary.write((queries) =>
    queries.updateTable("admin_api_keys").set({ last_used_at_ms: 5 }).execute(),
  );
  expect(verify(temporary.path)).toMatchObject({ fault: null, head: { length: 1 } });
});

test("an event has each row once, before and after the change, without its secrets", async () => {
  await using temporary = await openLogged(1);
  const key = { id: "key_1", project_id: "proj_1", hash: "canary", last_four: "abcd", created_at_ms: 1 };
  const name = `gk_live_${"c".repeat(49)}`;
  const first = { ...key, name: "First", revoked_at_ms: null, service_account_id: null, expires_at_ms: null };
  await temporary.write(
    async (queries) => {
      await queries.updateTable("projects").set({ name: "Renamed" }).execute();
      await queries.updateTable("projects").set({ name: "Project proj_1" }).execute();
      await queries.insertInto("project_api_keys").values(first).execute();
      await queries.updateTable("project_api_keys").set({ name }).execute();
    },
    { ...context, type: "api_key.created" },
  );
  const row = await temporary.reads
    .selectFrom("audit_logs")
    .selectAll()
    .where("seq", "=", 2)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    type: "api_key.created",
    project_id: "proj_1",
    request_id: "req_1",
    actor_ip: "::1",
  });
  const [only, ...more] = JSON.parse(row.changes);
  expect(more).toEqual([]);
  expect(only).toMatchObject({ object: "project_api_keys", id: "key_1", before: null });
  expect(only.after).toMatchObject({
    hash: expect.stringMatching(/^\*\*\*.{1,8}$/),
    last_four: "abcd",
    name: "gk_live_***",
  });
});

test("the writer thread and the main thread add to one chain", async () => {
  await using temporary = await openLogged(1);
  const failures: string[] = [];
  const funds = await openSqliteFunds({
    claim: temporary.claim(),
    secret: new Uint8Array(32),
    onFailure: (reason) => failures.push(reason),
  });
  const pay = (id: number) =>
    funds.recordPayment({ id: `txn_${id}`, amount: 1n as never, reference: null, createdAtMs: 1 }, null, {
      ...context,
      type: "payment.created",
    });
  const rename = (id: number) =>
    temporary.write(
      (queries) =>
        queries
          .updateTable("projects")
          .set({ name: `Named ${id}` })
          .execute(),
      { ...context, type: "project.updated" },
    );
  await Promise.all(Array.from({ length: 40 }, (_, id) => (id % 2 ? pay(id) : rename(id))));
  await funds.close();
  expect(failures).toEqual([]);
  expect(verify(temporary.path)).toMatchObject({ fault: null, head: { length: 41 } });
});

const guards = ["audit_logs_are_not_changed", "audit_logs_are_not_deleted", "audit_logs_only_grow"];

test("the log takes no change but a further event", async () => {
  await using temporary = await openLogged(3);
  using sqlite = openSqlite(temporary.path);
  const second = "SELECT 9, 'audit_x', 1, 'x', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[]', ''";
  for (const [statement, words] of [
    ["UPDATE audit_logs SET type = 'x' WHERE seq = 2", "immutable"],
    ["DELETE FROM audit_logs WHERE seq = 3", "immutable"],
    [`INSERT INTO audit_logs ${second}`, "written at the end"],
    [`INSERT OR REPLACE INTO audit_logs ${second.replace("9", "2")}`, "written at the end"],
  ] as const) {
    expect(() => sqlite.run(statement)).toThrow(words);
  }
});

test.each([
  ["changed", "UPDATE audit_logs SET actor_email = 'somebody@else.example' WHERE seq = 2", 2],
  [
    "changed in what it says",
    "UPDATE audit_logs SET changes = replace(changes, 'proj_2', 'proj_3') WHERE seq = 2",
    2,
  ],
  ["given another hash", "UPDATE audit_logs SET hash = hex(zeroblob(32)) WHERE seq = 2", 2],
  ["given another id", "UPDATE audit_logs SET id = 'audit_x' WHERE seq = 2", 2],
  ["removed", "DELETE FROM audit_logs WHERE seq = 2", 3],
  [
    "removed and the rest moved up",
    "DELETE FROM audit_logs WHERE seq = 2; UPDATE audit_logs SET seq = 2 WHERE seq = 3",
    3,
  ],
] as const)("an event that was %s is named", async (_, statement, named) => {
  await using temporary = await openLogged(3);
  const ids = await temporary.reads.selectFrom("audit_logs").select("id").orderBy("seq").execute();
  using sqlite = openSqlite(temporary.path);
  for (const guard of guards) sqlite.run(`DROP TRIGGER ${guard}`);
  for (const one of statement.split("; ")) sqlite.run(one);
  const { fault } = verify(temporary.path);
  expect(fault).not.toBeNull();
  const expected = statement.includes("audit_x") ? "audit_x" : (ids[named - 1]?.id ?? "");
  expect(fault?.event).toBe(expected);
});

test("a truncated or rewritten log is detected with a stored head", async () => {
  await using temporary = await openLogged(3);
  await using other = await openTemporarySqlite();
  const { head } = verify(temporary.path);
  expect(verify(temporary.path, head).fault).toBeNull();
  expect(verify(other.path, head).fault?.message).toBe("Events 1 to 3 are missing");
  for (const id of ["proj_1", "proj_2", "proj_x"]) {
    await insertProject(other, id, context.atMs);
  }
  expect(verify(other.path).fault).toBeNull();
  expect(verify(other.path, head).fault?.message).toContain("is not the one whose hash was exported");
});
