import { expect, test } from "bun:test";
import { Feed } from "./feed";
import type { ChangedRow, CommittedChange, TableCache } from "./table-cache";

const row = (id: string, table = "projects"): ChangedRow => ({ table, id, subjectId: null, projectId: null });

/** A log that tests append to, and a cache that records what it reads. */
function scene({ from = 0 } = {}) {
  const changes: CommittedChange[] = [];
  const readRows: string[] = [];
  let failures = 0;
  const log = {
    lastNumber: async () => changes.at(-1)?.number ?? from,
    listAfter: async (number: number, limit: number) =>
      changes.filter((change) => change.number > number).slice(0, limit),
  };
  const cache: TableCache = {
    load: async () => void readRows.push("all"),
    reread: {
      projects: async ({ id }) => {
        if (failures-- > 0) throw new Error("disk");
        readRows.push(id);
      },
    },
  };
  return {
    readRows,
    log,
    feed: new Feed(log, [cache]),
    commit: (number: number, ...touched: ChangedRow[]) => void changes.push({ number, touched }),
    fail: (times: number) => {
      failures = times;
    },
  };
}

test("loads earlier changes once, and reads each later change in order", async () => {
  const { feed, readRows, commit } = scene();
  commit(1, row("old"));
  await feed.open();
  for (let number = 2; number <= 250; number++) commit(number, row(`p${number}`), row("x", "uncached"));
  await feed.catchUp();
  await feed.catchUp();
  expect(readRows).toEqual(["all", ...Array.from({ length: 249 }, (_, index) => `p${index + 2}`)]);
});

test("a change of many rows is read once by a cache that reads no single ones", async () => {
  const { log, commit } = scene();
  let loads = 0;
  const load = async () => void loads++;
  const feed = new Feed(log, [{ load, reread: { models: load, prices: load } }]);
  await feed.open();
  commit(1, row("a", "models"), row("b", "models"), row("c", "prices"), row("d"));
  await feed.catchUp();
  expect(loads).toBe(2);
});

test("a change that is committed while the caches are filled is read after them", async () => {
  const { log, commit } = scene();
  const readRows: string[] = [];
  const cache: TableCache = {
    async load() {
      readRows.push("all");
      commit(1, row("late"));
    },
    reread: { projects: async ({ id }) => void readRows.push(id) },
  };
  const feed = new Feed(log, [cache]);
  await feed.open();
  await feed.catchUp();
  expect(readRows).toEqual(["all", "late"]);
});

test("two concurrent readers do not read a change twice, or out of order", async () => {
  const { feed, readRows, commit } = scene();
  await feed.open();
  commit(1, row("a"));
  const [first] = [feed.catchUp(), feed.catchUp()];
  commit(2, row("b"));
  await first;
  await feed.catchUp();
  expect(readRows).toEqual(["all", "a", "b"]);
});

test("reads everything again once if a number is missing, and continues from there", async () => {
  const { feed, readRows, commit } = scene();
  await feed.open();
  commit(1, row("a"));
  await feed.catchUp();
  commit(4, row("d"));
  commit(5, row("e"));
  await feed.catchUp();
  commit(6, row("f"));
  await feed.catchUp();
  expect(readRows).toEqual(["all", "a", "all", "f"]);
});

test("a cache whose read fails reads everything again", async () => {
  const { feed, readRows, commit, fail } = scene();
  await feed.open();
  fail(1);
  commit(1, row("a"));
  commit(2, row("b"));
  await feed.catchUp();
  expect(readRows).toEqual(["all", "all"]);
});

test("a cache that could not be read is read at the next call, and the failure is logged", async () => {
  const { readRows, commit, log } = scene();
  let isDown = false;
  const loading: TableCache = {
    load: async () => {
      if (isDown) throw new Error("store away");
      readRows.push("all");
    },
    reread: { projects: () => Promise.reject(new Error("store away")) },
  };
  const feed = new Feed(log, [loading]);
  await feed.open();
  commit(1, row("a"));
  isDown = true;
  await expect(feed.catchUp()).rejects.toThrow("store away");
  isDown = false;
  await feed.catchUp();
  expect(readRows).toEqual(["all", "all"]);
});

test("says that it holds a change only when every cache does", async () => {
  const { log, commit } = scene();
  const reading = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  const cache: TableCache = {
    load: async () => {},
    reread: {
      projects: async () => {
        reading.resolve();
        await read.promise;
      },
    },
  };
  const feed = new Feed(log, [cache]);
  await feed.open();
  commit(1, row("new"));
  const caughtUp = feed.catchUp();
  await reading.promise;
  expect(feed.last).toBe(0);
  read.resolve();
  await caughtUp;
  expect(feed.last).toBe(1);
});
