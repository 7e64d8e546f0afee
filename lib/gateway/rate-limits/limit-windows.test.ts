import { expect, test } from "bun:test";
import {
  builtInRateLimits,
  type RateLimitValues,
  rateLimitRows,
} from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { ZERO } from "@/lib/money/amount";
import { SpendTracker } from "../ledger/spend-limits/spend-tracker";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import type { AdmissionRequest } from "./admissions";
import { EmbeddedAdmissions } from "./embedded-admissions";

const TOKENS = 30;
const LONGEST_SLOT_MS = 1_000;
const takesOne = {
  requests: {},
  tokens: {},
  images: { images: 1 },
  audioMegabytes: { audioMegabytes: 1 },
  batchInputTokens: { batchInputTokens: 1 },
} as const;

function setUp() {
  const { clock, pass } = simulatedRuntime();
  const spend = new SpendTracker({ limits: [], spent: [], nowMs: clock.nowMs() });
  const admissions = new EmbeddedAdmissions({ available: ZERO }, spend, { clock, currency: "USD" });
  return { admissions, pass };
}

function buildRequest(limits: Partial<RateLimitValues>, change: Partial<AdmissionRequest>): AdmissionRequest {
  return {
    projectId: "proj_1",
    keyId: "key_1",
    model: "sandbox-echo",
    limits: { ...builtInRateLimits, ...limits },
    price: { inputPer1m: ZERO, outputPer1m: ZERO, rate: ZERO },
    promptTokens: 10,
    maxOutputTokens: TOKENS - 10,
    expectedOutputTokens: TOKENS - 10,
    choices: 1,
    ...change,
  };
}

test.each(rateLimitRows)("$field counts a call for as long as its name says", ({ field, counts }) => {
  const { admissions, pass } = setUp();
  const request = buildRequest({ [field]: counts === "tokens" ? TOKENS : 1 }, takesOne[counts]);
  admissions.admit(request);
  pass((field.includes("1_minute") ? MINUTE_MS : DAY_MS) - 1);
  expect(() => admissions.admit(request)).toThrow("may use at most");
  pass(1 + LONGEST_SLOT_MS);
  admissions.admit(request);
});

test("the output of each choice counts in the tokens of a minute", () => {
  const { admissions } = setUp();
  admissions.admit(buildRequest({ max_tokens_per_1_minute: 70 }, { choices: 3 }));
  expect(
    admissions.windows
      .find("proj_1", "sandbox-echo")
      .used("max_tokens_per_1_minute", admissions.windows.now()),
  ).toBe(70);
});
