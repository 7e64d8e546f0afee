import { expect, test } from "bun:test";
import { builtInRateLimits } from "@/lib/contract/rate-limit-table";
import { toNano, ZERO } from "@/lib/money/amount";
import { SpendTracker } from "../balance/spend-limits/spend-tracker";
import { simulatedEffects } from "../simulation/simulated-effects";
import { catchRefusal } from "../testing/catch-refusal";
import { EmbeddedAdmissions } from "./embedded-admissions";

test("a preview, a refused call and a read of the status touch no windows; an admitted call does", () => {
  const { clock } = simulatedEffects();
  const spend = new SpendTracker({ limits: [], spent: [], nowMs: clock.nowMs() });
  const admissions = new EmbeddedAdmissions({ available: toNano(1n) }, spend, { clock, currency: "USD" });
  const request = {
    projectId: "proj_1",
    keyId: "key_1",
    model: "sandbox-echo",
    limits: builtInRateLimits,
    price: { inputPer1m: ZERO, outputPer1m: ZERO, rate: ZERO },
    promptTokens: 10,
    maxOutputTokens: 20,
    expectedOutputTokens: 20,
    choices: 1,
  };
  admissions.preview(request);
  admissions.readStatus(request);
  const refused = { ...request, limits: { ...request.limits, max_requests_per_1_minute: 0 } };
  expect(catchRefusal(() => admissions.admit(refused)).status).toBe(429);
  expect(admissions.windows.touched()).toEqual([]);
  admissions.admit(request);
  expect(admissions.windows.touched()).toEqual([{ projectId: "proj_1", model: "sandbox-echo" }]);
});
