import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { openTemporaryDatabase } from "../store/open-temporary-database";
import { createSpendAlertStore } from "../store/spend-alert-store";
import { monthStartMs } from "./calendar-month";
import { NANO_PER_CENT, SpendAlertBook } from "./spend-alert-book";
import type { SpendAlertFiring, SpendAlertRecord } from "./spend-alert-store";

const alertOf = (id: string, thresholdCents: number): SpendAlertRecord => ({
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

test("each threshold fires once a month, when it is reached and not a nano-unit before", () => {
  const charge = fc.record({ amount: fc.bigInt(1n, cents(4)), waitMs: fc.nat(10 * 86_400_000) });
  const inputs = [
    fc.array(charge, { maxLength: 40, size: "max" }),
    fc.array(fc.integer({ min: 1, max: 20 })),
  ] as const;
  fc.assert(
    fc.property(...inputs, (charges, thresholds) => {
      const fired: SpendAlertFiring[] = [];
      const book = new SpendAlertBook(async (firing) => void fired.push(firing));
      for (const [index, threshold] of thresholds.entries())
        book.put(alertOf(`alert_${index}`, threshold), null);
      const spentIn = new Map<number, bigint>();
      let now = JANUARY;
      for (const { amount, waitMs } of charges) {
        now += waitMs;
        const month = monthStartMs(now);
        const spent = (spentIn.get(month) ?? 0n) + amount;
        spentIn.set(month, spent);
        book.note("proj_1", spent, now);
      }
      const expected = thresholds.flatMap((threshold, index) =>
        [...spentIn].flatMap(([month, spent]) =>
          spent >= cents(threshold) ? [`alert_${index} ${month}`] : [],
        ),
      );
      const seen = fired.map(({ alertId, monthStartMs: month }) => `${alertId} ${month}`);
      expect(seen.toSorted()).toEqual(expected.toSorted());
    }),
  );
});

test("a firing that could not be kept is tried again with the next charge", async () => {
  let failures = 1;
  const kept: SpendAlertFiring[] = [];
  const book = new SpendAlertBook(async (firing) => {
    if (failures-- > 0) throw new Error("disk");
    kept.push(firing);
  });
  book.put(alertOf("alert_1", 5), null);
  book.note("proj_1", cents(5), JANUARY);
  await new Promise((resolve) => setImmediate(resolve));
  expect(book.find("proj_1", "alert_1")?.lastFiring).toBeNull();
  book.note("proj_1", cents(6), JANUARY + 1);
  book.note("proj_1", cents(7), JANUARY + 2);
  expect(kept.map(({ firedAtMs }) => firedAtMs)).toEqual([JANUARY + 1]);
});

test("firings last, one a month and threshold, and go with their alert", async () => {
  await using store = await openTemporaryDatabase();
  const alerts = createSpendAlertStore(store.database);
  const alert = alertOf("alert_1", 5);
  await alerts.save(alert);
  const firing = {
    alertId: "alert_1",
    thresholdCents: 5,
    monthStartMs: monthStartMs(JANUARY),
    firedAtMs: JANUARY,
  };
  await alerts.insertFiring(firing);
  await alerts.insertFiring({ ...firing, firedAtMs: JANUARY + 1 });
  await alerts.insertFiring({ ...firing, thresholdCents: 4 });
  const reopened = createSpendAlertStore(await store.reopen());
  expect(await reopened.list()).toEqual([alert]);
  expect(await reopened.listLastFirings()).toEqual([firing]);
  const next = { ...firing, monthStartMs: FEBRUARY, firedAtMs: FEBRUARY + 9 };
  await reopened.insertFiring(next);
  expect(await reopened.lastFiring(alert)).toEqual(next);
  expect(await reopened.lastFiring({ ...alert, thresholdCents: 6 })).toBeNull();
  await reopened.delete("alert_1");
  expect([await reopened.list(), await reopened.listLastFirings()]).toEqual([[], []]);
});
