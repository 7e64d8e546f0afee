import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { sql } from "kysely";
import { computeMonthStartMs } from "@/lib/contract/calendar-month";
import { NANO_PER_CENT, toNano } from "@/lib/money/amount";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { createAlertClaims } from "../../tasks/callbacks/alert-claims.sql";
import { createSpendAlertStore, type SpendAlertRecord } from "./spend-alert-store.sql";
import { type NewFiring, SpendAlertCache } from "./spend-alerts";

const createAlert = (id: string, thresholdCents: number): SpendAlertRecord => ({
  id,
  scope: "proj_1",
  thresholdCents,
  recipients: ["ada@example.com"],
  subjectPrefix: null,
  createdAtMs: 0,
});
const cents = (amount: number) => BigInt(amount) * NANO_PER_CENT;
const JANUARY = Date.UTC(2027, 0, 15);
const FEBRUARY = Date.UTC(2027, 1, 1);

/** Loads alerts that have not fired, in a month that has cost nothing. */
function load(cache: SpendAlertCache, alerts: readonly SpendAlertRecord[]): Promise<void> {
  const store = { list: async () => [...alerts], find: async () => null, lastFiring: async () => null };
  return cache.following(store, { spentBy: () => 0n, nowMs: () => JANUARY }).load();
}

test("each threshold fires once a month, when it is reached and not a nano-unit before", async () => {
  const charge = fc.record({ amount: fc.bigInt(1n, cents(4)), waitMs: fc.nat(10 * 86_400_000) });
  const inputs = [
    fc.array(charge, { maxLength: 40, size: "max" }),
    fc.array(fc.integer({ min: 1, max: 20 })),
  ] as const;
  await fc.assert(
    fc.asyncProperty(...inputs, async (charges, thresholds) => {
      const fired: NewFiring[] = [];
      const alerts = new SpendAlertCache(async (firing) => void fired.push(firing));
      await load(
        alerts,
        thresholds.map((threshold, index) => createAlert(`alert_${index}`, threshold)),
      );
      const spentIn = new Map<number, bigint>();
      let now = JANUARY;
      for (const { amount, waitMs } of charges) {
        now += waitMs;
        const month = computeMonthStartMs(now);
        const spent = (spentIn.get(month) ?? 0n) + amount;
        spentIn.set(month, spent);
        alerts.note("proj_1", spent, now);
      }
      const expected = thresholds.flatMap((threshold, index) =>
        [...spentIn].flatMap(([month, spent]) =>
          spent >= cents(threshold) ? [`alert_${index} ${month}`] : [],
        ),
      );
      const firedNames = fired.map(({ alertId, monthStartMs: month }) => `${alertId} ${month}`);
      expect(firedNames.toSorted()).toEqual(expected.toSorted());
    }),
  );
});

test("a firing that could not be kept is tried again with the next charge", async () => {
  let failures = 1;
  const keptFirings: NewFiring[] = [];
  const alerts = new SpendAlertCache(async (firing) => {
    if (failures-- > 0) throw new Error("disk");
    keptFirings.push(firing);
  });
  await load(alerts, [createAlert("alert_1", 5)]);
  alerts.note("proj_1", cents(5), JANUARY);
  await new Promise((resolve) => setImmediate(resolve));
  expect(alerts.find("proj_1", "alert_1")?.lastFiring).toBeNull();
  alerts.note("proj_1", cents(6), JANUARY + 1);
  alerts.note("proj_1", cents(7), JANUARY + 2);
  expect(keptFirings.map(({ firedAtMs }) => firedAtMs)).toEqual([JANUARY + 1]);
});

test("a charge that reaches no threshold looks at none of 10,000 alerts, and the next threshold still fires", async () => {
  let looks = 0;
  const fired: string[] = [];
  const alerts = new SpendAlertCache(async ({ alertId }) => void fired.push(alertId));
  const many = Array.from({ length: 10_000 }, (_, index) =>
    Object.defineProperty(createAlert(`alert_${index}`, 0), "thresholdCents", {
      get() {
        looks++;
        return 100 + index;
      },
    }),
  );
  await load(alerts, many);
  looks = 0;
  for (let spent = 1; spent < 100; spent++) alerts.note("proj_1", cents(spent), JANUARY);
  expect(looks).toBe(0);
  alerts.note("proj_1", cents(101), JANUARY);
  expect(fired).toEqual(["alert_0", "alert_1"]);
  looks = 0;
  alerts.note("proj_1", cents(101), JANUARY + 1);
  expect(looks).toBe(0);
  alerts.note("proj_1", cents(100), FEBRUARY);
  expect(fired).toEqual(["alert_0", "alert_1", "alert_0"]);
});

test("firings last, one a month and threshold, and go with their alert", async () => {
  await using store = await openTemporaryDatabase();
  const alerts = createSpendAlertStore(store.reads);
  const alert = createAlert("alert_1", 5);
  await store.write((_, transaction) => alerts.save(transaction, alert));
  const lasting = {
    alertId: "alert_1",
    thresholdCents: 5,
    monthStartMs: computeMonthStartMs(JANUARY),
    firedAtMs: JANUARY,
  };
  const firing = { ...lasting, id: "firing_1", scope: "proj_1", spent: toNano(9_007_199_254_740_993n) };
  await store.write((_, transaction) => alerts.insertFiring(transaction, firing, "told once"));
  await store.write((_, transaction) =>
    alerts.insertFiring(transaction, { ...firing, id: "firing_2", firedAtMs: JANUARY + 1 }, "told twice"),
  );
  await store.write((_, transaction) =>
    alerts.insertFiring(transaction, { ...firing, id: "firing_3", thresholdCents: 4 }, null),
  );
  await store.reopen();
  const reopened = createSpendAlertStore(store.reads);
  expect(await reopened.list()).toEqual([alert]);
  expect(await reopened.lastFiring(alert)).toEqual(lasting);
  const february = { monthStartMs: FEBRUARY, firedAtMs: FEBRUARY + 9 };
  await store.write((_, transaction) =>
    reopened.insertFiring(transaction, { ...firing, ...february, id: "firing_4" }, "told later"),
  );
  expect(await reopened.lastFiring(alert)).toEqual({ ...lasting, ...february });
  expect(await reopened.lastFiring({ ...alert, thresholdCents: 6 })).toBeNull();
  await store.write((_, transaction) => reopened.delete(transaction, "alert_1"));
  expect([await reopened.list(), await reopened.lastFiring(alert)]).toEqual([[], null]);
  // The callback is still sent after the alert was removed.
  const dueCallbacks = await createAlertClaims(store.reads, store.run, "this process").claimDue(
    FEBRUARY + 9,
    10,
    { receivers: [], projects: [] },
  );
  expect(dueCallbacks).toEqual([
    { id: "firing_1", body: "told once", tries: 0 },
    { id: "firing_4", body: "told later", tries: 0 },
  ]);
});

test("a firing whose message can't be stored isn't stored either", async () => {
  await using store = await openTemporaryDatabase();
  const alerts = createSpendAlertStore(store.reads);
  const alert = createAlert("alert_1", 5);
  await store.write((_, transaction) => alerts.save(transaction, alert));
  await store.write((queries) => sql`DROP TABLE alert_deliveries`.execute(queries));
  const firing = { alertId: "alert_1", thresholdCents: 5, monthStartMs: 0, firedAtMs: JANUARY };
  const expectedFiring = { ...firing, id: "firing_1", scope: "proj_1", spent: toNano(5n) };
  expect(
    await store
      .write((_, transaction) => alerts.insertFiring(transaction, expectedFiring, "told"))
      .catch(String),
  ).toContain("alert_deliveries");
  expect(await alerts.lastFiring(alert)).toBeNull();
});
