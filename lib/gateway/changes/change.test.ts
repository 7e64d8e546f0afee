import { expect, test } from "bun:test";
import {
  isOnPostgres,
  openTemporaryDatabase,
  testRequest,
} from "../database/testing/open-temporary-database";
import { Refusal } from "../refusal";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { type Changes, change, createLock, systemChange } from "./change";
import type { TableCache } from "./table-cache";
import { type Transaction, within } from "./transactions.sql";

const project = (id: string) => ({ id, name: id, created_at_ms: 1, archived_at_ms: null });
const insert = (id: string) => (transaction: Transaction) =>
  within(transaction).insertInto("projects").values(project(id)).execute();

/** Records the steps of a change in their order. */
function recordingChanges(steps: string[]) {
  const note = (name: string) => async () => void steps.push(name);
  const lock = createLock();
  return {
    lock: <Result>(work: () => Promise<Result>) => lock(() => (steps.push("lock"), work())),
    transactions: {
      logPart: async () => [],
      run: async <Result>(_: unknown, work: (transaction: Transaction) => Promise<Result>) => {
        steps.push("begin");
        const result = await work({} as Transaction);
        steps.push("commit");
        return result;
      },
    },
    feed: { catchUp: note("feed") },
    clock: simulatedRuntime().clock,
    logFault: () => {},
  };
}

test("checks permissions before the lock and again in the transaction; caches follow the commit", async () => {
  const steps: string[] = [];
  const request = {
    ...testRequest,
    authorize: () => void steps.push("rights"),
    refuseStale: async () => void steps.push("version"),
  };
  await change({ changes: recordingChanges(steps) }, request, async () => void steps.push("work"));
  const locked = ["lock", "feed", "begin", "feed", "rights", "version", "work", "commit", "feed"];
  expect(steps).toEqual(["rights", ...locked]);
});

test("a caller who loses the permission while waiting for the lock changes nothing", async () => {
  await using store = await openTemporaryDatabase();
  const changes = await store.changes();
  let isAllowed = true;
  const request = {
    ...testRequest,
    authorize() {
      if (!isAllowed) throw new Refusal(403, "permission_error", "missing_permission", "no longer");
    },
  };
  const waitingChange = change({ changes }, testRequest, async () => {
    isAllowed = false;
  });
  const late = change({ changes }, request, insert("proj_late"));
  await waitingChange;
  await expect(late).rejects.toMatchObject({ status: 403 });
  expect(await store.reads.selectFrom("projects").select("id").execute()).toEqual([]);
});

test("the caches have a change when it resolves; a refused one leaves neither row nor event", async () => {
  await using store = await openTemporaryDatabase();
  const steps: string[] = [];
  const cache: TableCache = {
    load: async () => {},
    reread: { projects: async ({ id }) => void steps.push(id) },
  };
  const changes = await store.changes(cache);
  const rejection = change({ changes }, testRequest, async (transaction) => {
    await insert("proj_1")(transaction);
    throw new Refusal(409, "conflict_error", "in_use", "no");
  });
  await expect(rejection).rejects.toMatchObject({ status: 409 });
  await change({ changes }, testRequest, insert("proj_2"));
  expect(steps).toEqual(["proj_2"]);
  await systemChange({ changes }, "sign-in bookkeeping", insert("proj_3"));
  expect(steps).toEqual(["proj_2", "proj_3"]);
  const events = await store.reads.selectFrom("audit_logs").select("seq").execute();
  expect(events.length).toBe(2);
});

test("refuses writes after a unit of work has ended, or outside of one", async () => {
  await using store = await openTemporaryDatabase();
  const changes = await store.changes();
  let endedTransaction: Transaction | undefined;
  await change({ changes }, testRequest, async (transaction) => {
    endedTransaction = transaction;
  });
  expect(() => within(endedTransaction as Transaction)).toThrow("This unit of work has ended");
  expect(() => within({} as Transaction)).toThrow("This unit of work has ended");
  const beside = store.reads.insertInto("projects").values(project("proj_1")).execute();
  await expect(beside).rejects.toThrow(isOnPostgres ? "audit_pending" : "readonly");
});

test("a committed change that can't be read back is answered as made; the fault is logged, and the next change reads it first", async () => {
  await using store = await openTemporaryDatabase();
  const changes = await store.changes();
  const faults: unknown[] = [];
  const { feed } = changes;
  let isAway = false;
  const failing = {
    ...changes,
    feed: { catchUp: () => (isAway ? Promise.reject(new Error("disk")) : feed.catchUp()) },
    logFault: (...fault: unknown[]) => void faults.push(fault),
  };
  const result = await change({ changes: failing }, testRequest, async (transaction) => {
    await insert("proj_1")(transaction);
    isAway = true;
    return "made";
  });
  expect([result, faults]).toEqual(["made", [["feed of changes", new Error("disk")]]]);
  await expect(change({ changes: failing }, testRequest, insert("proj_2"))).rejects.toThrow("disk");
  isAway = false;
  await change({ changes: failing }, testRequest, insert("proj_3"));
  const rows = await store.reads.selectFrom("projects").select("id").orderBy("id").execute();
  expect(rows.map(({ id }) => id)).toEqual(["proj_1", "proj_3"]);
});

test("a change inside a change fails at once together with the outer one, and blocks no other change", async () => {
  await using store = await openTemporaryDatabase();
  const changes = await store.changes();
  for (const inner of [
    () => change({ changes }, testRequest, insert("proj_inner")),
    () => systemChange({ changes }, "key uses", insert("proj_inner")),
  ]) {
    const outer = change({ changes }, testRequest, async (transaction) => {
      await insert("proj_outer")(transaction);
      await inner();
    });
    await expect(outer).rejects.toThrow("A change inside a change would wait for itself");
  }
  await change({ changes }, testRequest, insert("proj_next"));
  const rows = await store.reads.selectFrom("projects").select("id").execute();
  expect(rows).toEqual([{ id: "proj_next" }]);
});

test("gives a change that follows from another, without being awaited, its own lock", async () => {
  await using store = await openTemporaryDatabase();
  let followed: Promise<unknown> | null = null;
  const cache: TableCache = {
    load: async () => {},
    reread: {
      projects: async () => {
        followed ??= systemChange({ changes }, "spend alert firing", insert("proj_2"));
      },
    },
  };
  const changes: Changes = await store.changes(cache);
  await change({ changes }, testRequest, insert("proj_1"));
  await followed;
  const rows = await store.reads.selectFrom("projects").select("id").execute();
  expect(rows).toHaveLength(2);
});

test("each job waits for the one before, and a failed one does not block the next", async () => {
  const locked = createLock();
  const log: string[] = [];
  const work = (name: string, fails = false) =>
    locked(async () => {
      log.push(`${name} starts`);
      await Promise.resolve();
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const results = await Promise.allSettled([work("first"), work("second", true), work("third")]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(log).toEqual(["first", "second", "third"].flatMap((name) => [`${name} starts`, `${name} ends`]));
});
