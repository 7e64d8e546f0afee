import { expect, test } from "bun:test";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { toNano, ZERO } from "@/lib/money/amount";
import { SpendTracker } from "../ledger/spend-limits/spend-tracker";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { NotAdmitted } from "./admissions";
import { EmbeddedAdmissions } from "./embedded-admissions";
import { formatDuration, rateLimitHeaders } from "./project-model-windows";

const limits = { ...builtInRateLimits, max_requests_per_1_minute: 2, max_tokens_per_1_minute: 100 };
const request = {
  projectId: "proj_1",
  keyId: "key_1",
  model: "sandbox-echo",
  limits,
  price: { inputPer1m: ZERO, outputPer1m: ZERO, rate: ZERO },
  promptTokens: 10,
  maxOutputTokens: 20,
  expectedOutputTokens: 20,
  choices: 1,
};

function setUp() {
  const { clock, pass } = simulatedRuntime();
  const spend = new SpendTracker({ limits: [], spent: [], nowMs: clock.nowMs() });
  const admissions = new EmbeddedAdmissions({ available: toNano(1n) }, spend, { clock, currency: "USD" });
  return { admissions, pass, nowMs: clock.monotonicMs };
}

test("a reply has headers with its limits, their remainder after this call, and the time until they are unused", () => {
  const { admissions, pass, nowMs } = setUp();
  const admission = admissions.admit(request);
  pass(10_000);
  expect(rateLimitHeaders(admission.rateLimits, nowMs())).toEqual({
    "x-ratelimit-limit-requests": "2",
    "x-ratelimit-limit-tokens": "100",
    "x-ratelimit-remaining-requests": "1",
    "x-ratelimit-remaining-tokens": "70",
    // A slot of half a second counts until its end.
    "x-ratelimit-reset-requests": "51s",
    "x-ratelimit-reset-tokens": "51s",
  });
  admissions.settle(admission, 12, ZERO);
  expect(rateLimitHeaders(admission.rateLimits, nowMs())).toMatchObject({
    "x-ratelimit-remaining-requests": "1",
    "x-ratelimit-remaining-tokens": "88",
  });
});

test("a refusal has them too, also one before admission", () => {
  const { admissions, pass, nowMs } = setUp();
  for (let call = 0; call < 2; call++) admissions.admit(request);
  const refused = () => {
    try {
      return admissions.admit(request);
    } catch (error) {
      return error;
    }
  };
  const refusal = refused() as NotAdmitted;
  expect(refusal).toBeInstanceOf(NotAdmitted);
  const told = rateLimitHeaders(refusal.rateLimits, nowMs());
  expect(told).toMatchObject({
    "x-ratelimit-limit-requests": "2",
    "x-ratelimit-remaining-requests": "0",
    "x-ratelimit-remaining-tokens": "40",
    "x-ratelimit-reset-requests": "1m1s",
  });
  expect(rateLimitHeaders(admissions.readStatus(request), nowMs())).toEqual(told);
  pass(70_000);
  expect(rateLimitHeaders(admissions.readStatus(request), nowMs())).toMatchObject({
    "x-ratelimit-remaining-requests": "2",
    "x-ratelimit-reset-requests": "0ms",
  });
  // A reply that is older than its windows reports no time in the past.
  const old = { max: 2, used: 2, emptyAtMs: nowMs() - 5_000 };
  expect(rateLimitHeaders({ requests: old, tokens: old }, nowMs())["x-ratelimit-reset-tokens"]).toBe("0ms");
});

test.each([
  [0, "0ms"],
  [11.2, "12ms"],
  [1_000, "1s"],
  [59_001, "1m0s"],
  [360_000, "6m0s"],
  [86_400_000, "24h0m0s"],
])("the time until a limit is unused: %d ms is written %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
