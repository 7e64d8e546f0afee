import { expect, test } from "bun:test";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { toNano, ZERO } from "@/lib/money/amount";
import { SpendTracker } from "../ledger/spend-limits/spend-tracker";
import { simulatedEffects } from "../simulation/simulated-effects";
import { catchRefusal } from "../testing/catch-refusal";
import { EmbeddedAdmissions } from "./embedded-admissions";

test("a task that was never sent counts in no limit; one that failed free of charge counts as a request", () => {
  const { clock } = simulatedEffects();
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
