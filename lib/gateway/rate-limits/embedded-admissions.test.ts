import { expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  builtInRateLimits,
  describeLimit,
  type Measure,
  type RateLimitValues,
  rateLimitRows,
} from "@/lib/contract/calls/rate-limit-table";
import { HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { toNano, ZERO } from "@/lib/money/amount";
import { SpendTracker } from "../ledger/spend-limits/spend-tracker";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { catchRefusal } from "../testing/catch-refusal";
import type { Admission, AdmissionRequest } from "./admissions";
import { EmbeddedAdmissions } from "./embedded-admissions";

const unlimited: RateLimitValues = {
  ...builtInRateLimits,
  max_requests_per_1_minute: 1_000_000,
  max_tokens_per_1_minute: 1_000_000_000,
};
/** One nano-unit a token, so that amounts are token counts. */
const price = {
  inputPer1m: toNano(1_000_000n),
  outputPer1m: toNano(1_000_000n),
  rate: toNano(1_000_000_000n),
};

function setUp({ balance = 1_000_000n, maxConcurrentRequests = 100 } = {}) {
  const { clock, pass } = simulatedRuntime();
  const spend = new SpendTracker({ limits: [], spent: [], nowMs: clock.nowMs() });
  const funds = { available: toNano(balance) };
  const admissions = new EmbeddedAdmissions(funds, spend, { clock, currency: "USD", maxConcurrentRequests });
  return { admissions, funds, spend, pass, nowMs: clock.nowMs() };
}

function buildRequest(
  change: Partial<AdmissionRequest> = {},
  limits: Partial<RateLimitValues> = {},
): AdmissionRequest {
  return {
    projectId: "proj_1",
    keyId: "key_1",
    model: "sandbox-echo",
    limits: { ...unlimited, ...limits },
    price,
    promptTokens: 10,
    contextTokens: 100,
    maxOutputTokens: 20,
    expectedOutputTokens: 20,
    choices: 1,
    ...change,
  };
}

test("the fourth of three a minute is refused, and admitted exactly at the announced time", () => {
  const { admissions, pass } = setUp();
  const request = buildRequest({}, { max_requests_per_1_minute: 3 });
  for (let call = 0; call < 3; call++) {
    admissions.admit(request);
    pass(7_000);
  }
  const { status, code, details } = catchRefusal(() => admissions.admit(request));
  expect([status, code, details.limit?.used, details.limit?.requested]).toEqual([
    429,
    "max_requests_per_1_minute",
    3,
    1,
  ]);
  const wait = details.limit?.resets_in_ms ?? Number.NaN;
  expect(wait).toBeGreaterThan(60_000 - 21_000);
  expect(wait).toBeLessThanOrEqual(60_000 - 21_000 + 500);
  expect(details.headers?.["retry-after"]).toBe(String(Math.ceil(wait / 1000)));
  pass(wait - 1);
  expect(catchRefusal(() => admissions.admit(request)).code).toBe("max_requests_per_1_minute");
  pass(1);
  admissions.admit(request);
});

test("zero admits no call, and the refusal of a request above its limit says that it can never pass", () => {
  const { admissions } = setUp();
  const none = catchRefusal(() => admissions.admit(buildRequest({}, { max_requests_per_1_day: 0 })));
  expect([none.code, none.details.limit?.resets_in_ms]).toEqual(["max_requests_per_1_day", null]);
  const large = catchRefusal(() => admissions.admit(buildRequest({}, { max_tokens_per_1_minute: 29 })));
  expect([large.code, large.details.limit?.resets_in_ms]).toEqual(["max_tokens_per_1_minute", null]);
  expect(none.message + large.message).toMatch(/No request can pass: have .*, so it can never pass/);
  admissions.admit(buildRequest({}, { max_tokens_per_1_minute: 30 }));
});

test("names the longest-lasting of several limits that refuse", () => {
  const { admissions } = setUp();
  admissions.admit(buildRequest());
  const limits = { max_requests_per_1_minute: 1, max_requests_per_1_day: 1 };
  expect(catchRefusal(() => admissions.admit(buildRequest({}, limits))).code).toBe("max_requests_per_1_day");
});

/** A call that takes ten of a measure, except that a call is one request. */
function takeTen(measure: Measure): Partial<AdmissionRequest> {
  if (measure === "requests") return {};
  if (measure === "tokens") return { promptTokens: 4, maxOutputTokens: 6, expectedOutputTokens: 6 };
  return { [measure]: 10 };
}

test.each(rateLimitRows)(
  "$field is demanded by a call, counted, told and given back; a call that was sent keeps its request",
  ({ field, counts }) => {
    const { admissions } = setUp();
    const takes = counts === "requests" ? 1 : 10;
    const request = buildRequest(takeTen(counts), { [field]: takes });
    const admission = admissions.admit(request);
    const refusal = catchRefusal(() => admissions.admit(request));
    expect([refusal.status, refusal.code]).toEqual([429, field]);
    expect(refusal.details.limit).toMatchObject({ field, max: takes, used: takes, requested: takes });
    expect(refusal.message).toContain(`at most ${takes} ${describeLimit(field)}`);
    const tooLarge = buildRequest(takeTen(counts), { [field]: takes - 1 });
    expect(catchRefusal(() => admissions.admit(tooLarge)).details.limit?.resets_in_ms).toBeNull();
    admissions.release(admission, { sent: false });
    admissions.release(admissions.admit(request), { sent: true });
    const windows = admissions.windows.open("proj_1", "sandbox-echo");
    expect(windows.used(field, admissions.windows.now())).toBe(counts === "requests" ? 1 : 0);
  },
);

test("tokens are corrected to the actual usage", () => {
  const { admissions } = setUp();
  const windows = admissions.windows.open("proj_1", "sandbox-echo");
  const used = () => [
    windows.used("max_requests_per_1_minute", admissions.windows.now()),
    windows.used("max_tokens_per_1_minute", admissions.windows.now()),
    windows.used("max_requests_per_1_day", admissions.windows.now()),
  ];
  admissions.settle(admissions.admit(buildRequest()), 13, toNano(13n));
  expect(used()).toEqual([1, 13, 1]);
  admissions.settle(admissions.admit(buildRequest()), 45, toNano(30n));
  expect(used()).toEqual([2, 58, 2]);
});

test("the output is lowered to what the balance covers, and refused below one token a choice", () => {
  const { admissions, funds } = setUp({ balance: 25n });
  const { maxOutputTokens, holdAmount } = admissions.admit(buildRequest({ choices: 2 }));
  expect([maxOutputTokens, holdAmount]).toEqual([7, toNano(24n)]);
  funds.available = toNano(1n);
  const refusal = catchRefusal(() => admissions.admit(buildRequest({ choices: 2 })));
  const told = { required: "0.000000012", currency: "USD" };
  expect([refusal.status, refusal.details.balance]).toEqual([402, told]);
  expect(refusal.details.fuller?.balance).toEqual({ available: "0.000000001", ...told });
});

test("a process with too many calls in flight refuses any key until one ends, and tells its own count", () => {
  const { admissions } = setUp({ maxConcurrentRequests: 2 });
  const first = admissions.admit(buildRequest());
  admissions.admit(buildRequest());
  const refusal = catchRefusal(() => admissions.admit(buildRequest({ keyId: "key_2" })));
  expect(refusal).toMatchObject({ status: 429, code: "concurrency", checkFigures: { inFlight: [2, 2] } });
  expect(catchRefusal(() => admissions.refuseIfTooManyInFlight()).code).toBe("concurrency");
  admissions.settle(first, 1, ZERO);
  admissions.refuseIfTooManyInFlight();
  admissions.admit(buildRequest({ keyId: "key_2" }));
});

test("a restart gives no limit back: past calls count for as long as they would have", () => {
  const { admissions, pass, nowMs } = setUp();
  const past = { projectId: "proj_1", model: "sandbox-echo", tokens: 100, requests: 1 };
  admissions.windows.restore([
    { ...past, atMs: nowMs - 23 * HOUR_MS },
    { ...past, atMs: nowMs - 30_000 },
    { ...past, atMs: nowMs + 5_000 },
  ]);
  const daily = buildRequest({}, { max_requests_per_1_day: 3 });
  const limit = catchRefusal(() => admissions.admit(daily)).details.limit;
  expect(limit?.used).toBe(3);
  expect(catchRefusal(() => admissions.admit(buildRequest({}, { max_requests_per_1_minute: 2 }))).code).toBe(
    "max_requests_per_1_minute",
  );
  pass(limit?.resets_in_ms ?? 0);
  expect(limit?.resets_in_ms).toBeLessThanOrEqual(3_601_000);
  admissions.admit(daily);
});

test("a past call from a time in the future, after the clock was set back, counts as one of now", () => {
  const { admissions, pass, nowMs } = setUp();
  admissions.windows.restore([{ ...buildRequest(), tokens: 1, requests: 1, atMs: nowMs + 30_000 }]);
  const request = buildRequest({}, { max_requests_per_1_minute: 1 });
  expect(catchRefusal(() => admissions.admit(request)).code).toBe("max_requests_per_1_minute");
  pass(MINUTE_MS + 500);
  admissions.admit(request);
});

const call = fc.record({
  waitMs: fc.nat(20_000),
  promptTokens: fc.integer({ min: 1, max: 50 }),
  maxOutputTokens: fc.integer({ min: 1, max: 50 }),
  choices: fc.integer({ min: 1, max: 3 }),
  end: fc.constantFrom("settle", "release", "unsent", "open"),
});

test("a refused call takes nothing, and the balance is never overdrawn, in any order of calls", () => {
  const bounds = fc.record({
    requests: fc.nat(8),
    tokens: fc.nat(400),
    balance: fc.nat(600),
    atOnce: fc.nat(6),
  });
  fc.assert(
    fc.property(
      fc.array(call, { maxLength: 60, size: "max" }),
      bounds,
      (calls, { requests, tokens, balance, atOnce }) => {
        const { admissions, funds, pass } = setUp({
          balance: BigInt(balance),
          maxConcurrentRequests: atOnce,
        });
        const limits = {
          max_requests_per_1_minute: requests,
          max_tokens_per_1_minute: tokens,
          max_requests_per_1_day: 20,
        };
        const windows = admissions.windows.open("proj_1", "sandbox-echo");
        const state = () => [
          windows.used("max_requests_per_1_minute", admissions.windows.now()),
          windows.used("max_tokens_per_1_minute", admissions.windows.now()),
          windows.used("max_requests_per_1_day", admissions.windows.now()),
          admissions.inFlight,
        ];
        for (const { waitMs, end, ...asked } of calls) {
          pass(waitMs);
          const before = state();
          const request = buildRequest({ ...asked, expectedOutputTokens: asked.maxOutputTokens }, limits);
          let admission: Admission;
          try {
            admission = admissions.admit(request);
          } catch {
            expect(state()).toEqual(before);
            continue;
          }
          expect(admission.holdAmount).toBeLessThanOrEqual(funds.available);
          if (end === "open") funds.available = toNano(funds.available - admission.holdAmount);
          if (end === "settle") admissions.settle(admission, admission.estimatedTokens, admission.holdAmount);
          else if (end !== "open") admissions.release(admission, { sent: end === "release" });
          const [inMinute, , inDay] = state();
          expect(inMinute).toBeLessThanOrEqual(requests);
          expect(inDay).toBeLessThanOrEqual(20);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("a task that was never sent counts in no limit; one that failed free of charge counts as a request", () => {
  const { clock } = simulatedRuntime();
  const spend = new SpendTracker({ limits: [], spent: [], nowMs: clock.nowMs() });
  const admissions = new EmbeddedAdmissions({ available: toNano(1n) }, spend, { clock, currency: "USD" });
  const limits = { ...builtInRateLimits, max_requests_per_1_day: 2, max_images_per_1_minute: 4 };
  const request = {
    projectId: "proj_1",
    keyId: "key_1",
    model: "sandbox-image",
    limits,
    price: { inputPer1m: ZERO, outputPer1m: ZERO, rate: ZERO },
    promptTokens: 0,
    maxOutputTokens: 0,
    expectedOutputTokens: 0,
    choices: 1,
    images: 4,
  };
  const held = (requestId: string) => ({ requestId, projectId: request.projectId, amount: ZERO });
  for (const requestId of ["req_1", "req_2"]) {
    admissions.leave(admissions.admit(request), requestId);
    expect(catchRefusal(() => admissions.admit(request)).status).toBe(429);
    admissions.releaseHeld(held(requestId), { sent: requestId === "req_2" });
    // Ending it again gives nothing back.
    admissions.releaseHeld(held(requestId), { sent: false });
  }
  admissions.leave(admissions.admit(request), "req_3");
  expect(catchRefusal(() => admissions.admit({ ...request, images: 0 })).code).toBe("max_requests_per_1_day");
});
