import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import { TakenElsewhere } from "../idempotency/idempotency";
import { Refusal } from "../refusal";
import type { AdmissionRequest, Placed } from "./admissions";
import { openBooks, type TestProcess, testCall, UNLIMITED } from "./testing/open-books";

const RACERS = 1_002;

/** Places as many calls as asked for from three processes at once. @returns those that were placed. */
async function race(processes: readonly TestProcess[], request: AdmissionRequest) {
  const tries = Array.from({ length: RACERS }, (_none, index) =>
    (processes[index % processes.length] as TestProcess).place(request),
  );
  const outcomes = await Promise.allSettled(tries);
  const refused = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason as Refusal] : []));
  const placed = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  return { placed, codes: [...new Set(refused.map(({ code }) => code))] };
}

/** Output that can't be shortened, so that a call fits or doesn't. */
const fixed = { ...testCall, maxOutputTokens: 0, expectedOutputTokens: 0, promptTokens: 100 };

test.each([
  ["the last money", fixed, { balance: toNano(13_750n) }, 137, "insufficient_balance"],
  [
    "the organization's spend limit",
    fixed,
    { spendLimits: { organization: toNano(5_599n) } },
    55,
    "spend_limit",
  ],
  ["a project's spend limit", fixed, { spendLimits: { proj_1: toNano(5_600n) } }, 56, "spend_limit"],
  [
    "requests a minute",
    { ...fixed, limits: { ...UNLIMITED, max_requests_per_1_minute: 100 } },
    {},
    100,
    "max_requests_per_1_minute",
  ],
  [
    "tokens a minute",
    { ...fixed, limits: { ...UNLIMITED, max_tokens_per_1_minute: 9_999 } },
    {},
    99,
    "max_tokens_per_1_minute",
  ],
  [
    "images a minute",
    { ...fixed, images: 3, limits: { ...UNLIMITED, max_images_per_1_minute: 100 } },
    {},
    33,
    "max_images_per_1_minute",
  ],
  [
    "audio a minute",
    { ...fixed, audioMegabytes: 2, limits: { ...UNLIMITED, max_audio_megabytes_per_1_minute: 100 } },
    {},
    50,
    "max_audio_megabytes_per_1_minute",
  ],
  [
    "requests a day",
    { ...fixed, limits: { ...UNLIMITED, max_requests_per_1_day: 77 } },
    {},
    77,
    "max_requests_per_1_day",
  ],
  [
    "tokens of batches a day",
    { ...fixed, batchInputTokens: 10, limits: { ...UNLIMITED, batch_1_day_max_input_tokens: 1_000 } },
    {},
    100,
    "batch_1_day_max_input_tokens",
  ],
] as const)(
  "three processes race for %s: exactly what fits is placed",
  async (_name, request, settings, fits, code) => {
    await using books = await openBooks(settings);
    const processes = [books.first, await books.openProcess("b"), await books.openProcess("c")];
    const { placed, codes } = await race(processes, request);
    expect([placed.length, codes]).toEqual([fits, [code]]);
    expect(await books.check()).toEqual([]);
  },
);

test("a call that the balance doesn't cover is shortened to what it covers", async () => {
  await using books = await openBooks({ balance: toNano(150n) });
  const other = await books.openProcess("b");
  const placed = await Promise.all([books.first.place(), other.place()]);
  expect(placed.map(({ draft }) => draft.amount).toSorted()).toEqual([toNano(100n), toNano(50n)]);
  await expect(books.first.place()).rejects.toMatchObject({ status: 402 });
  expect(await books.check()).toEqual([]);
});

test("a charge gives unused tokens back, and a release all but the request of a call that was sent", async () => {
  await using books = await openBooks();
  const { first } = books;
  const used = () => first.funds.usedBy(testCall).used;
  const placed: Placed[] = [];
  for (let calls = 0; calls < 3; calls++) placed.push(await first.place());
  expect(used().slice(0, 2)).toEqual([3, 300]);
  const [one, two, three] = placed as [Placed, Placed, Placed];
  expect(await first.settle(one)).toBe(true);
  expect(await first.settle(one)).toBe(false);
  expect(used().slice(0, 2)).toEqual([3, 250]);
  await first.release(two, "provider_failed");
  expect(used().slice(0, 2)).toEqual([3, 150]);
  await first.release(three);
  expect([used()[0], used()[1], used()[4]]).toEqual([2, 50, 2]);
  expect(await books.check()).toEqual([]);
  const [entry] = await books.rows("SELECT * FROM ledger_entries WHERE kind = 'charge'");
  expect(entry).toMatchObject({
    id: "txn_a1",
    amount: "50",
    held: "100",
    outcome: "completed",
    basis: "reported",
  });
});

test("what calls use of a limit is the same in each process, and nothing once they have left the window", async () => {
  await using books = await openBooks();
  const b = await books.openProcess("b");
  await books.first.place();
  await b.place();
  const read = async ({ admissions: { windows } }: TestProcess) => {
    const [usage] = await windows.readUsage(await windows.touched());
    return [usage?.projectId, usage?.used.max_requests_per_1_minute, usage?.used.max_tokens_per_1_minute];
  };
  expect(await read(books.first)).toEqual(["proj_1", 2, 200]);
  expect(await read(b)).toEqual(["proj_1", 2, 200]);
  const status = await b.admissions.readStatus(testCall);
  expect(status.requests.used).toBe(2);
  // As if a minute had passed without a call.
  await books.rows("UPDATE windows SET minute_slot = minute_slot - 121");
  await books.rows("UPDATE minute_slots SET slot = slot - 121");
  expect(await read(b)).toEqual(["proj_1", 0, 0]);
});

test("tokens beyond a limit are a debt, which refuses calls until it has entered the window", async () => {
  await using books = await openBooks();
  const { first } = books;
  const request = { ...testCall, limits: { ...UNLIMITED, max_tokens_per_1_minute: 150 } };
  const placed = await first.place(request);
  await first.settle(placed, 390);
  expect(first.funds.usedBy(request).used[1]).toBe(400);
  const refusal = await first.place(request).catch((error: Refusal) => error);
  expect(refusal).toMatchObject({ code: "max_tokens_per_1_minute" });
  const [row] = await books.rows("SELECT used[2] AS used, debt FROM windows ORDER BY version DESC LIMIT 1");
  expect(row).toEqual({ used: "150", debt: "250" });
  expect(await books.check()).toEqual([]);
});

test("a second call with an idempotency key is refused while the first one runs, in any process", async () => {
  await using books = await openBooks();
  const other = await books.openProcess("b");
  const idempotency = { scope: "proj_1 key_1", key: "k", bodyHash: "h" };
  const both = await Promise.allSettled([
    books.first.place(testCall, { idempotency }),
    other.place(testCall, { idempotency }),
  ]);
  const placed = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const refused = both.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(placed.length).toBe(1);
  expect(refused[0]).toBeInstanceOf(TakenElsewhere);
  expect(await books.check()).toEqual([]);
});

test("the holds of a process whose lease has ended are charged once, by one of the others", async () => {
  await using books = await openBooks();
  const [b, c] = [await books.openProcess("b"), await books.openProcess("c")];
  const placed = await b.place();
  await b.place();
  await books.rows("UPDATE leases SET ends_at_ms = 0 WHERE owner = 'b'");
  const counts = await Promise.all([books.first.funds.takeOver(), c.funds.takeOver()]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
  expect(await b.settle(placed)).toBe(false);
  const charges = await books.rows("SELECT basis, amount FROM ledger_entries WHERE kind = 'charge'");
  expect(charges).toEqual([1, 2].map(() => ({ basis: "interrupted", amount: "10" })));
  // It goes on with a new lease.
  expect(await b.settle(await b.place())).toBe(true);
  expect(await books.check()).toEqual([]);
});

test("a process that ends in order gives its lease back, and what it still held is taken over at once", async () => {
  await using books = await openBooks();
  const b = await books.openProcess("b");
  await b.place();
  expect(await books.first.funds.takeOver()).toBe(0);
  await books.closeProcess(b);
  expect(await books.first.funds.takeOver()).toBe(1);
  expect(await books.rows("SELECT owner FROM leases")).toEqual([{ owner: "a" }]);
  expect(await books.rows("SELECT count(*) FROM holds")).toEqual([{ count: "0" }]);
  expect(await books.check()).toEqual([]);
});

test("a process that hasn't read the last change is told so before a call is admitted", async () => {
  await using books = await openBooks();
  const { first } = books;
  const [last] = await books.rows("SELECT max(seq) AS seq FROM audit_logs");
  let known = Number(last?.seq) - 1;
  first.funds.follow(
    () => known,
    () => {},
  );
  let rechecked = 0;
  const placing = first.admissions.place(testCall, {
    draft: (decided, nowMs) => ({
      ...decided.request,
      id: "hold_x",
      requestId: "req_x",
      amount: decided.holdAmount,
      maxCompletionTokens: 90,
      createdAtMs: nowMs,
      deadlineAtMs: nowMs + 1,
    }),
    recheck: (asked) => {
      if (rechecked++ === 0) return asked;
      known++;
      throw new Refusal(401, "authentication_error", "invalid_api_key", "Revoked");
    },
  });
  await expect(placing).rejects.toMatchObject({ status: 401 });
  expect(rechecked).toBe(2);
  expect(await books.check()).toEqual([]);
});

test("when connections are cut during ticks, no charge is lost or booked twice, and no hold stays", async () => {
  await using books = await openBooks();
  const processes = [books.first, await books.openProcess("b")];
  const charged: string[] = [];
  const over = new AbortController();
  const settle = async (process: TestProcess, placed: Placed): Promise<void> => {
    for (;;) {
      try {
        if (await process.settle(placed)) charged.push(placed.draft.id.replace("hold", "txn"));
        return;
      } catch {
        await new Promise(setImmediate);
      }
    }
  };
  const client = async (process: TestProcess) => {
    while (!over.signal.aborted) {
      const placed = await process
        .place()
        .catch(() => new Promise<null>((resolve) => setImmediate(() => resolve(null))));
      if (placed) await settle(process, placed);
    }
  };
  const clients = processes.flatMap((process) => Array.from({ length: 8 }, () => client(process)));
  for (let cuts = 0, before = 0; cuts < 5; cuts++) {
    while (charged.length < before + 50) await new Promise(setImmediate);
    before = charged.length;
    await books.rows(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'gatehouse ticks' AND datname = current_database()`);
  }
  over.abort();
  await Promise.all(clients);
  // The release of a hold that was stored without an answer is the last operation in its queue.
  for (const process of processes) {
    while (!process.funds.isHealthy()) await new Promise(setImmediate);
    await process.settle(await process.place());
  }
  const stored = new Set(
    (await books.rows("SELECT id FROM ledger_entries WHERE kind = 'charge'")).map(({ id }) => id),
  );
  expect(charged.filter((id) => !stored.has(id))).toEqual([]);
  expect(new Set(charged).size).toBe(charged.length);
  expect(stored.size).toBe(charged.length + 2);
  expect(await books.rows("SELECT count(*) FROM holds")).toEqual([{ count: "0" }]);
  expect(await books.check()).toEqual([]);
}, 30_000);
