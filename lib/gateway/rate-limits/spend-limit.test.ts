import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS } from "@/lib/contract/durations";
import { type Nano, toNano, ZERO } from "@/lib/money/amount";
import { computeMonthStartMs } from "../../contract/calendar-month";
import { SpendTracker } from "../ledger/spend-limits/spend-tracker";
import { Refusal } from "../refusal";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { catchRefusal } from "../testing/catch-refusal";
import type { Admission, AdmissionRequest } from "./admissions";
import { EmbeddedAdmissions } from "./embedded-admissions";

/** 31 January 2027, noon UTC. */
const LAST_OF_JANUARY = Date.UTC(2027, 0, 31, 12);
/** One nano-unit a token, so that amounts are token counts. */
const price = {
  inputPer1m: toNano(1_000_000n),
  outputPer1m: toNano(1_000_000n),
  rate: toNano(1_000_000_000n),
};
const limits = { ...builtInRateLimits, max_tokens_per_1_minute: 1_000_000_000 };

function setUp({ balance = 1_000_000n, all = null as bigint | null, own = null as bigint | null } = {}) {
  const { clock, pass } = simulatedRuntime({ nowMs: LAST_OF_JANUARY });
  const spend = new SpendTracker({ limits: [], spent: [], nowMs: clock.nowMs() });
  if (all !== null) spend.setLimit(null, toNano(all));
  if (own !== null) spend.setLimit("proj_1", toNano(own));
  const admissions = new EmbeddedAdmissions({ available: toNano(balance) }, spend, {
    clock,
    currency: "USD",
  });
  const admit = (...size: CallSize) => admissions.admit(buildRequest(...size));
  return { admissions, admit, spend, clock, pass };
}

type CallSize = [projectId: string, promptTokens: number, maxOutputTokens: number, choices?: number];

function buildRequest(
  ...[projectId, promptTokens, maxOutputTokens, choices = 1]: CallSize
): AdmissionRequest {
  return {
    projectId,
    keyId: "key_1",
    model: "sandbox-echo",
    limits,
    price,
    promptTokens,
    maxOutputTokens,
    expectedOutputTokens: maxOutputTokens,
    choices,
  };
}

test("the tighter of the two limits lowers the output, then refuses and is named", () => {
  const { admissions, admit, spend, clock } = setUp({ all: 100n, own: 30n });
  const first = admit("proj_1", 10, 50);
  expect([first.maxOutputTokens, first.holdAmount]).toEqual([20, toNano(30n)]);
  const refused = catchRefusal(() => admit("proj_1", 10, 1));
  expect(refused).toMatchObject({ status: 402, type: "insufficient_balance", code: "spend_limit" });
  const told = {
    project: "proj_1",
    required: "0.000000011",
    currency: "USD",
    resets_at: Date.UTC(2027, 1) / 1000,
  };
  expect(refused.details.spendLimit).toEqual(told);
  const figures = { threshold: "0.00000003", spent: "0.00000003" };
  expect(refused.details.fuller?.spendLimit).toEqual({ ...told, ...figures });
  expect(spend.find("proj_1", clock.nowMs())?.isRefusing).toBe(true);
  expect(admit("proj_2", 10, 100).holdAmount).toBe(toNano(70n));
  expect(catchRefusal(() => admit("proj_2", 1, 1)).details.spendLimit?.project).toBeNull();
  admissions.settle(first, 15, toNano(15n));
  expect(admit("proj_1", 10, 50).holdAmount).toBe(toNano(15n));
  expect(spend.find("proj_1", clock.nowMs())?.isRefusing).toBe(false);
});

test("a preview that a limit would refuse doesn't count as a refusal by the limit", () => {
  const { admissions, spend, clock } = setUp({ own: 5n });
  expect(admissions.preview(buildRequest("proj_1", 10, 1)).refusal).not.toBeNull();
  expect(spend.find("proj_1", clock.nowMs())?.isRefusing).toBe(false);
});

test("a call that costs nothing doesn't end a limit's refusals", () => {
  const { admit, spend, clock } = setUp({ own: 5n });
  catchRefusal(() => admit("proj_1", 10, 1));
  admit("proj_1", 0, 0);
  expect(spend.find("proj_1", clock.nowMs())?.isRefusing).toBe(true);
  catchRefusal(() => admit("proj_1", 10, 1));
});

test("a refusal for a low balance names the balance", () => {
  const { admit } = setUp({ balance: 5n, all: 1n });
  expect(catchRefusal(() => admit("proj_1", 10, 1)).code).toBe("insufficient_balance");
});

test("a new month starts with only the calls in progress, and a clock set back doesn't end it", () => {
  const { admissions, admit, pass } = setUp({ own: 30n });
  admissions.settle(admit("proj_1", 10, 10), 20, toNano(20n));
  const open = admit("proj_1", 5, 5);
  expect(catchRefusal(() => admit("proj_1", 1, 1)).code).toBe("spend_limit");
  pass(DAY_MS / 2);
  expect(admit("proj_1", 10, 100).holdAmount).toBe(toNano(20n));
  admissions.settle(open, 10, toNano(4n));
  expect(admit("proj_1", 5, 100).holdAmount).toBe(toNano(6n));
  pass(-DAY_MS);
  expect(catchRefusal(() => admit("proj_1", 1, 1)).code).toBe("spend_limit");
});

test("a limit of zero refuses every call that costs something, and its removal admits them", () => {
  const { admit, spend } = setUp({ all: 0n });
  expect(catchRefusal(() => admit("proj_1", 1, 1)).code).toBe("spend_limit");
  spend.setLimit(null, null);
  admit("proj_1", 1, 1);
});

const call = fc.record({
  waitMs: fc.oneof(fc.nat(1_000), fc.nat(20 * DAY_MS)),
  project: fc.constantFrom("proj_1", "proj_2"),
  promptTokens: fc.integer({ min: 1, max: 20 }),
  maxOutputTokens: fc.integer({ min: 1, max: 40 }),
  choices: fc.integer({ min: 1, max: 3 }),
  /** Which open call ends before this one begins, and which share of its hold it used. */
  ends: fc.option(fc.record({ which: fc.nat(5), used: fc.double({ min: 0, max: 1, noNaN: true }) })),
});

test("never exceeds a month's limits, nor refuses a call that they cover, in any order", () => {
  const bounds = fc.record({ all: fc.bigInt(0n, 300n), own: fc.bigInt(0n, 150n) });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60, size: "max" }), bounds, (calls, { all, own }) => {
      const { admissions, admit, clock, pass } = setUp({ all, own });
      const spent = new Map<string, bigint>();
      const open: Admission[] = [];
      const month = (project: string) => `${project} ${computeMonthStartMs(clock.nowMs())}`;
      const add = (key: string, amount: Nano) => spent.set(key, (spent.get(key) ?? 0n) + amount);
      const heldBy = (project: string | null) =>
        open
          .filter(({ request }) => project === null || request.projectId === project)
          .reduce((sum, { holdAmount }) => sum + holdAmount, 0n);
      for (const { waitMs, project, promptTokens, maxOutputTokens, choices, ends } of calls) {
        pass(waitMs);
        const [ending] = ends && open.length > 0 ? open.splice(ends.which % open.length, 1) : [];
        if (ending && ends) {
          const charged = toNano(BigInt(Math.floor(Number(ending.holdAmount) * ends.used)));
          if (charged === ZERO) admissions.release(ending, { sent: true });
          else admissions.settle(ending, Number(charged), charged);
          add(month(ending.request.projectId), charged);
          add(month("all"), charged);
        }
        const left = (key: string, limit: bigint, held: bigint) =>
          limit - (spent.get(month(key)) ?? 0n) - held;
        const room = left("all", all, heldBy(null));
        const ownRoom = project === "proj_1" ? left("proj_1", own, heldBy("proj_1")) : room;
        expect(room).toBeGreaterThanOrEqual(0n);
        expect(ownRoom).toBeGreaterThanOrEqual(0n);
        const covered = BigInt(promptTokens + choices) <= (ownRoom < room ? ownRoom : room);
        try {
          open.push(admit(project, promptTokens, maxOutputTokens, choices));
          expect(covered).toBe(true);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          expect([error.code, covered]).toEqual(["spend_limit", false]);
        }
      }
    }),
    { numRuns: 500 },
  );
});
