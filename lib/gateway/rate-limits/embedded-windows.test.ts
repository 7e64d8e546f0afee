import { expect, test } from "bun:test";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { MINUTE_MS } from "@/lib/contract/durations";
import { toNano, ZERO } from "@/lib/money/amount";
import { SpendTracker } from "../ledger/spend-limits/spend-tracker";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { catchRefusal } from "../testing/catch-refusal";
import { type AdmissionRequest, countTokens } from "./admissions";
import { EmbeddedAdmissions } from "./embedded-admissions";

const request: AdmissionRequest = {
  projectId: "proj_1",
  keyId: "key_1",
  model: "sandbox-echo",
  limits: builtInRateLimits,
  price: { inputPer1m: ZERO, outputPer1m: ZERO, rate: ZERO },
  promptTokens: 10,
  contextTokens: 100,
  maxOutputTokens: 20,
  expectedOutputTokens: 20,
  choices: 1,
};

function setUp() {
  const { clock, pass } = simulatedRuntime();
  const spend = new SpendTracker({ limits: [], spent: [], nowMs: clock.nowMs() });
  const admissions = new EmbeddedAdmissions({ available: toNano(1n) }, spend, { clock, currency: "USD" });
  return { admissions, pass };
}

test("a preview, a refused call and a read of the status touch no windows; an admitted call does", () => {
  const { admissions } = setUp();
  admissions.preview(request);
  admissions.readStatus(request);
  const refused = { ...request, limits: { ...request.limits, max_requests_per_1_minute: 0 } };
  expect(catchRefusal(() => admissions.admit(refused)).status).toBe(429);
  expect(admissions.windows.touched()).toEqual([]);
  admissions.admit(request);
  expect(admissions.windows.touched()).toEqual([{ projectId: "proj_1", model: "sandbox-echo" }]);
});

test("a report of far more than the model's window and the output takes as much as such a call can use", () => {
  const { admissions, pass } = setUp();
  const limits = { ...builtInRateLimits, max_tokens_per_1_minute: 300 };
  const settleFor = (change: Partial<AdmissionRequest>) => {
    const admission = admissions.admit({ ...request, limits, ...change });
    const reportedUsage = { promptTokens: 1_000_000_000, completionTokens: 1_000_000_000 };
    admissions.settle(admission, countTokens(admission, reportedUsage), ZERO);
    return admission.rateLimits.tokens.used;
  };
  expect(settleFor({ choices: 2 })).toBe(100 + 2 * 20);
  expect(settleFor({ maxPromptTokens: 130 })).toBe(140 + 130 + 20);
  pass(MINUTE_MS + 500);
  expect(settleFor({})).toBe(100 + 20);
});
