import { expect, test } from "bun:test";
import fc from "fast-check";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { toNano } from "@/lib/money/amount";
import { openSqlite } from "../../database/open-sqlite";
import { openBatch } from "../../database/testing/open-batch";
import { openTemporarySqlite, testRequest } from "../../database/testing/open-temporary-database";
import type { HoldDraft } from "../../ledger/funds";
import { openSqliteFunds } from "../../ledger/funds.sql";
import { SpendTracker } from "../../ledger/spend-limits/spend-tracker";
import { type AdmissionRequest, NotAdmitted } from "../../rate-limits/admissions";
import { EmbeddedAdmissions } from "../../rate-limits/embedded-admissions";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { awaitRefusal } from "../../testing/catch-refusal";
import { admitAndHold } from "./admit-and-hold";
import { HeldCalls } from "./held-call";

const toHold = (requestId: string) => ({
  requestId,
  stream: false,
  startedAtMs: 0,
  recheck: (asked: AdmissionRequest) => asked,
});

/** One nano-unit a token, so that amounts are token counts. */
const price = {
  inputPer1m: toNano(1_000_000n),
  outputPer1m: toNano(1_000_000n),
  rate: toNano(1_000_000_000n),
};
const request: AdmissionRequest = {
  projectId: "proj_1",
  keyId: "key_1",
  model: "sandbox-echo",
  limits: { ...builtInRateLimits, max_requests_per_1_minute: 1 },
  price,
  promptTokens: 10,
  maxOutputTokens: 80,
  expectedOutputTokens: 80,
  choices: 1,
};

/**
 * A process with 100 to spend, and a faster one on the same store: before each hold of the first, it takes the next of
 * `amounts`.
 */
async function raceWith(...amounts: bigint[]) {
  const temporary = await openTemporarySqlite();
  const claim = temporary.claim();
  const real = await openSqliteFunds({ claim, secret: new Uint8Array(32), onFailure: () => {} });
  const payment = { id: "txn_p", amount: toNano(100n), reference: null, createdAtMs: 0 };
  await real.recordPayment(payment, null, testRequest.event);
  const sqlite = openSqlite(temporary.path, { safeIntegers: true });
  const other = openBatch(sqlite);
  let taken = 0;
  const takeNext = (hold: HoldDraft) => {
    const amount = amounts[taken++];
    if (amount === undefined) return;
    const id = `other_${taken}`;
    other.apply([{ kind: "hold", hold: { ...hold, id, requestId: id, amount: toNano(amount) } }]);
  };
  const funds = Object.create(real, {
    placeHold: { value: (hold: HoldDraft) => (takeNext(hold), real.placeHold(hold)) },
  });
  const runtime = simulatedRuntime();
  const spend = new SpendTracker({ limits: [], spent: [], nowMs: runtime.clock.nowMs() });
  const admissions = new EmbeddedAdmissions(real, spend, { clock: runtime.clock, currency: "USD" });
  const context = { admissions, funds, runtime, heldCalls: new HeldCalls() };
  return {
    admissions,
    hold: () => admitAndHold(context, request, toHold("req_1")),
    context,
    entries: () => temporary.reads.selectFrom("ledger_entries").select(["kind", "amount", "held"]).execute(),
    async heldCalls() {
      const holds = temporary.reads.selectFrom("holds").select(["id", "amount"]).orderBy("id");
      return (await holds.execute()).map(({ id, amount }) => `${id}: ${amount}`);
    },
    async [Symbol.asyncDispose]() {
      await real.close();
      sqlite.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

test("when another process was quicker, a call is admitted again with the remaining balance, and counts once", async () => {
  await using race = await raceWith(60n);
  const { admission } = await race.hold();
  expect([admission.maxOutputTokens, admission.holdAmount]).toEqual([30, toNano(40n)]);
  expect(admission.rateLimits.requests.used).toBe(1);
  expect(admission.rateLimits.tokens.used).toBe(40);
  expect(race.admissions.inFlight).toBe(1);
  expect(await race.heldCalls()).toEqual(["hold_1: 40", "other_1: 60"]);
});

test("when the remaining balance covers no token, the call is refused by the balance and takes nothing", async () => {
  await using race = await raceWith(95n);
  const refusal = (await awaitRefusal(race.hold())) as NotAdmitted;
  expect(refusal).toBeInstanceOf(NotAdmitted);
  expect([refusal.status, refusal.details.fuller?.balance]).toEqual([
    402,
    { available: "0.000000005", required: "0.000000011", currency: "USD" },
  ]);
  expect([refusal.rateLimits.requests.used, refusal.rateLimits.tokens.used]).toEqual([0, 0]);
  expect(race.admissions.inFlight).toBe(0);
  expect(await race.heldCalls()).toEqual(["other_1: 95"]);
});

test("a call that loses twice to others is refused with the amount of its hold and takes nothing", async () => {
  await using race = await raceWith(60n, 10n);
  const refusal = (await awaitRefusal(race.hold())) as NotAdmitted;
  expect([refusal.status, refusal.details.fuller?.balance]).toEqual([
    402,
    { available: "0.00000003", required: "0.00000004", currency: "USD" },
  ]);
  expect(refusal.rateLimits.requests.used).toBe(0);
  expect(race.admissions.inFlight).toBe(0);
});

const tokens = (max: number) => fc.integer({ min: 1, max });
const call = fc.record({
  coarse: tokens(300),
  finer: tokens(300),
  reported: tokens(300),
  output: tokens(80),
});

test("however wrong a finer count is, no charge exceeds its hold, and the rest is booked as the operator's", async () => {
  const seed = Date.now() % 2 ** 31;
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (calls) => {
      await using race = await raceWith();
      const limits = { ...builtInRateLimits, max_requests_per_1_minute: 100 };
      let owed = 0;
      const settling: Promise<void>[] = [];
      for (const [index, { coarse, finer, reported, output }] of calls.entries()) {
        const asked = { ...request, limits, maxPromptTokens: 10 + coarse };
        const countFiner = async () => ({
          ...asked,
          promptTokens: 1,
          maxPromptTokens: Math.min(finer, 10 + coarse),
        });
        const hold = await admitAndHold(race.context, asked, toHold(`req_${index}`), countFiner).catch(
          () => null,
        );
        if (!hold) continue;
        owed += reported + output;
        const usage = { promptTokens: reported, completionTokens: output };
        settling.push(hold.settle(usage, "reported", { outcome: "completed", status: 200 }));
      }
      await Promise.all(settling);
      const entries = await race.entries();
      const sum = (kind: string) =>
        entries
          .filter((entry) => entry.kind === kind)
          .reduce((total, { amount }) => total + Number(amount), 0);
      for (const { kind, amount, held } of entries)
        if (kind === "charge") expect([seed, amount <= (held ?? 0n)]).toEqual([seed, true]);
      expect([seed, sum("charge") + sum("provider_variance")]).toEqual([seed, owed]);
      expect([seed, sum("charge")]).toEqual([seed, Math.min(100, sum("charge"))]);
    }),
    { seed, numRuns: 20 },
  );
});
