import { expect, test } from "bun:test";
import type { PageQuery } from "@/lib/contract/schema";
import { chooseExportFormat, exportList } from "./export-list";

const columns = [{ header: "id", readValue: (item: unknown) => (item as { id: string }).id }];

/** A list with `pages` pages of one item each. It records reads, and fails if told to. */
function createList(pages: number, failsAt = Number.POSITIVE_INFINITY) {
  const cursors: (string | undefined)[] = [];
  const faults: unknown[] = [];
  const readPage = async ({ after }: PageQuery) => {
    cursors.push(after);
    if (cursors.length === failsAt) throw new Error("The store is gone");
    const id = String(cursors.length);
    return { data: [{ id }], last_id: id, has_more: cursors.length < pages };
  };
  const answer = () =>
    exportList(
      {
        format: "csv",
        query: {},
        columns,
        readPage,
        logFault: (error) => faults.push(error),
        onEnd: () => {},
      },
      {},
    );
  return { cursors, faults, answer };
}

test("an export holds every page after the other, once", async () => {
  const { cursors, answer } = createList(4);
  expect(await (await answer()).text()).toBe("id\r\n1\r\n2\r\n3\r\n4\r\n");
  expect(cursors).toEqual([undefined, "1", "2", "3"]);
});

test("an export passes over pages of which nothing is shown", async () => {
  let reads = 0;
  const readPage = async () => {
    reads++;
    const data = reads === 1 || reads === 4 ? [{ id: String(reads) }] : [];
    return { data, last_id: String(reads), has_more: reads < 4 };
  };
  const list = { query: {}, columns, readPage, logFault: () => {}, onEnd: () => {} };
  const text = (await exportList({ ...list, format: "ndjson" }, {})).text();
  expect(await text).toBe('{"id":"1"}\n{"id":"4"}\n');
});

test("a client that does not read causes only one page to be read, however many there are", async () => {
  const { cursors, answer } = createList(1_000_000);
  const reader = (await answer()).body?.getReader();
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
  expect(cursors).toHaveLength(1);
  for (let page = 0; page < 3; page++) await reader?.read();
  expect(cursors.length).toBeLessThanOrEqual(4);
  await reader?.cancel();
});

test("other work gets a turn between two pages", async () => {
  const { answer } = createList(50);
  let turns = 0;
  let isOver = false;
  const takeTurn = () => {
    turns++;
    if (!isOver) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  await (await answer()).text();
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(49);
});

test("an export that fails on the way breaks off for its client, and is logged once", async () => {
  const { faults, answer } = createList(9, 3);
  const reply = await answer();
  expect(reply.status).toBe(200);
  // The connection logs the reason that it is given.
  expect(await reply.text().catch((reason: unknown) => reason)).toBeUndefined();
  expect(faults).toHaveLength(1);
});

test("refuses an export for the same reasons as its list, before it answers", async () => {
  await expect(createList(9, 1).answer()).rejects.toThrow("The store is gone");
});

test.each([
  ["text/csv", "csv"],
  ["text/csv;q=0.9, application/json", "csv"],
  ["application/x-ndjson", "ndjson"],
  ["application/json, text/event-stream", null],
  ["*/*", null],
  ["constructor", null],
  ["__proto__, text/csv", "csv"],
  [null, null],
] as const)("%p asks for %p", (accept, format) => {
  expect(chooseExportFormat(accept)).toBe(format);
});
