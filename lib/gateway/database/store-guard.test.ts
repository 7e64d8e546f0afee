import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { isConstraintViolation } from "../ledger/writer/ledger-batch.sql";
import { openSqlite } from "./open-sqlite";
import { claimStore, StoreGuard, StoreLost } from "./store-guard";
import { openTemporarySqlite } from "./testing/open-temporary-database";

let store: Awaited<ReturnType<typeof openTemporarySqlite>>;
let sqlite: ReturnType<typeof openSqlite>;
let guard: StoreGuard;

beforeEach(async () => {
  store = await openTemporarySqlite();
  sqlite = openSqlite(store.path);
  guard = new StoreGuard(sqlite, claimStore(sqlite, store.path, "first"));
  guard.check();
});

afterEach(async () => {
  sqlite.close();
  await store[Symbol.asyncDispose]();
});

/** The check a second later, when the files are looked at again. */
function checkLater() {
  const now = performance.now();
  using _ = spyOn(performance, "now").mockReturnValue(now + 1_000);
  guard.check();
}

function catchLoss(check: () => void): unknown {
  try {
    check();
  } catch (error) {
    return error;
  }
  return null;
}

test("a process that another one has taken the store from writes nothing more", () => {
  claimStore(sqlite, store.path, "second");
  const loss = catchLoss(guard.check);
  expect(loss).toBeInstanceOf(StoreLost);
  expect(String(loss)).toContain("Another gateway has taken");
  // A rule that a write breaks fails this write only; a lost store ends all of them.
  expect(isConstraintViolation(loss)).toBe(false);
});

test.each(["", "-wal", "-shm"])("a file that was replaced is noticed: gatehouse.sqlite%s", (suffix) => {
  renameSync(store.path + suffix, `${store.path}${suffix}-moved`);
  writeFileSync(store.path + suffix, "");
  const loss = catchLoss(checkLater);
  expect(loss).toBeInstanceOf(StoreLost);
  expect(String(loss)).toContain(`${store.path}${suffix} was deleted or replaced`);
});

test("a file that was deleted is noticed", () => {
  rmSync(store.path);
  expect(catchLoss(checkLater)).toBeInstanceOf(StoreLost);
});
