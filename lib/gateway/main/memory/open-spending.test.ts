import { expect, test } from "bun:test";
import { computeMonthStartMs } from "@/lib/contract/calendar-month";
import { NANO_PER_CENT, toNano } from "@/lib/money/amount";
import { createLock } from "../../changes/change";
import { openSqlite } from "../../database/open-sqlite";
import { openBatch } from "../../database/testing/open-batch";
import { openTemporarySqlite, testRequest } from "../../database/testing/open-temporary-database";
import { saveSpendAlert } from "../../ledger/spend-limits/spend-alerts";
import { saveSpendLimit } from "../../ledger/spend-limits/spend-limits";
import { openProcess, runtime } from "../testing/open-test-process";

const cents = (amount: number) => toNano(BigInt(amount) * NANO_PER_CENT);
const nowMs = () => runtime.clock.nowMs();

/** How much the spend limits leave for a project's next call, in cents. */
function findRemaining({ spendTracker }: Awaited<ReturnType<typeof openProcess>>, projectId: string): number {
  return Number(spendTracker.headroomFor(projectId, nowMs())?.remaining) / Number(NANO_PER_CENT);
}

test("counts other processes' holds in spend limits from the start", async () => {
  await using store = await openTemporarySqlite();
  using sqlite = openSqlite(store.path, { safeIntegers: true });
  const otherBatch = openBatch(sqlite);
  const payment = { id: "txn_p", amount: cents(100), reference: null, createdAtMs: nowMs() };
  const hold = (projectId: string, amount: number) => ({
    kind: "hold" as const,
    hold: {
      id: `hold_${projectId}`,
      requestId: `req_${projectId}`,
      amount: cents(amount),
      projectId,
      keyId: "key_1",
      model: "m",
      promptTokens: 1,
      maxCompletionTokens: 1,
      price: { inputPer1m: cents(1), outputPer1m: cents(1), rate: cents(1) },
      createdAtMs: nowMs(),
      deadlineAtMs: nowMs() + 1,
    },
  });
  otherBatch.apply([
    { kind: "payment", payment, idempotency: null, audit: testRequest.event },
    hold("proj_1", 30),
    hold("proj_2", 8),
  ]);
  const process = await openProcess(store.path, createLock());
  const limit = (scope: string | null, threshold_amount: number) =>
    saveSpendLimit(process, testRequest, scope, { currency: "USD", threshold_amount, interval: "month" });
  await limit("proj_1", 50);
  expect([findRemaining(process, "proj_1"), process.spendTracker.headroomFor("proj_2", nowMs())]).toEqual([
    20,
    null,
  ]);
  await limit(null, 60);
  expect([findRemaining(process, "proj_1"), findRemaining(process, "proj_2")]).toEqual([20, 22]);
  await process.close();
});

test("an alert that one process fires is known to have fired in another, which fires it no more", async () => {
  await using store = await openTemporarySqlite();
  const lock = createLock();
  const [one, otherBatch] = [await openProcess(store.path, lock), await openProcess(store.path, lock)];
  const notification_channel = { type: "email" as const, recipients: ["ada@example.com"] };
  const draft = {
    currency: "USD" as const,
    interval: "month" as const,
    threshold_amount: 5,
    notification_channel,
  };
  const { id } = await saveSpendAlert(one, testRequest, null, null, draft);
  one.spendAlertCache.note(null, cents(5), nowMs());
  // Earlier requests have been processed.
  await lock(async () => {});
  await otherBatch.feed.catchUp();
  const fired = { monthStartMs: computeMonthStartMs(nowMs()), firedAtMs: nowMs() };
  expect(otherBatch.spendAlertCache.find(null, id)?.lastFiring).toMatchObject(fired);
  const events = async () =>
    (await store.reads.selectFrom("audit_logs").select("type").orderBy("seq").execute()).map(
      ({ type }) => type,
    );
  expect(await events()).toEqual(["organization.updated", "spend_alert.fired"]);
  runtime.pass(1);
  otherBatch.spendAlertCache.note(null, cents(6), nowMs());
  await lock(async () => {});
  expect(await events()).toHaveLength(2);
  const firings = store.reads.selectFrom("spend_alert_firings").select("fired_at_ms");
  expect(await firings.execute()).toEqual([{ fired_at_ms: fired.firedAtMs }]);
  await one.close();
  await otherBatch.close();
});
