import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import { toNano } from "@/lib/money/amount";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { createSpendAlertStore } from "../../ledger/spend-limits/spend-alert-store.sql";
import { createAlertClaims } from "./alert-claims.sql";

const alert = { scope: null, thresholdCents: 1, recipients: [], subjectPrefix: null, createdAtMs: 1 };
const firing = { alertId: "alert_1", scope: null, thresholdCents: 1, spent: toNano(1n), monthStartMs: 0 };
const NONE_BUSY = { receivers: [], projects: [] };

test("a message whose next try was stored by a clock that was ahead is due once the clock is right", async () => {
  await using temporary = await openTemporaryDatabase();
  const store = createSpendAlertStore(temporary.reads);
  const claims = createAlertClaims(temporary.reads, temporary.run, "own_1");
  await temporary.run((transaction) => store.save(transaction, { id: "alert_1", ...alert }));
  await temporary.run((transaction) =>
    store.insertFiring(transaction, { id: "firing_1", ...firing, firedAtMs: 0 }, "{}"),
  );
  const [triedAtMs, delayMs] = [2 * DAY_MS, 5_000];
  expect(await claims.claimDue(triedAtMs, 5, NONE_BUSY)).toHaveLength(1);
  const failed = { triedAtMs, tookMs: 1, httpStatus: 500, failure: "It answered 500." };
  await claims.save("firing_1", { ...failed, status: "pending", tries: 1, dueAtMs: triedAtMs + delayMs });
  expect(await claims.claimDue(triedAtMs, 5, NONE_BUSY)).toEqual([]);
  expect(await claims.claimDue(1, 5, NONE_BUSY)).toMatchObject([{ tries: 1 }]);
});

test("a message that is sent again while its last try is under way is due again", async () => {
  await using temporary = await openTemporaryDatabase();
  const store = createSpendAlertStore(temporary.reads);
  const claims = createAlertClaims(temporary.reads, temporary.run, "own_1");
  await temporary.run((transaction) => store.save(transaction, { id: "alert_1", ...alert }));
  await temporary.run((transaction) =>
    store.insertFiring(transaction, { id: "firing_1", ...firing, firedAtMs: 0 }, "{}"),
  );
  expect(await claims.claimDue(1, 5, NONE_BUSY)).toHaveLength(1);
  await temporary.run((transaction) => store.saveMessage(transaction, "firing_1", "{}", 2));
  const failed = { triedAtMs: 1, tookMs: 1, httpStatus: 500, failure: "It answered 500." };
  await claims.save("firing_1", { ...failed, status: "exhausted", tries: 10, dueAtMs: null });
  expect(await claims.claimDue(2, 5, NONE_BUSY)).toMatchObject([{ tries: 0 }]);
});
