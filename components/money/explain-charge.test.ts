import { expect, test } from "bun:test";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { explainCharge } from "./explain-charge";

const charge: LedgerEntry = {
  object: "ledger_entry",
  id: "txn_1",
  kind: "charge",
  amount: "0.0000045",
  currency: "USD",
  from_account: "balance",
  to_account: "charges",
  balance_change: "-0.0000045",
  created_at: 1,
  reference: null,
  basis: "reported",
  request_id: "req_1",
  project_id: "proj_1",
  key_id: "key_1",
  model: "sandbox-echo",
  prompt_tokens: 3,
  completion_tokens: 3,
  price: { input_per_1m: "1.00", output_per_1m: "2.00", rate: "0.5" },
};

test("a charge is its usage × list price × model rate, and so is its explanation", () => {
  expect(explainCharge(charge)).toMatchObject({ listPrice: "0.000009", charge: "0.0000045", cappedAt: null });
});

test("usage beyond the hold is explained as capped", () => {
  expect(explainCharge({ ...charge, completion_tokens: 300 })?.cappedAt).toBe("0.0000045");
});

test("a payment has no such arithmetic", () => {
  expect(explainCharge({ ...charge, kind: "payment", price: null })).toBeNull();
});

test("tokens of audio are explained apart, at their own price", () => {
  const audio = { input_per_1m: "40.00", output_per_1m: "80.00" };
  const heard = {
    ...charge,
    audio: { prompt_tokens: 2, completion_tokens: 1 },
    price: { input_per_1m: "1.00", output_per_1m: "2.00", rate: "0.5", audio },
  };
  // (1 × 1 + 2 × 40 + 2 × 2 + 1 × 80) ÷ 1,000,000 × 0.5
  expect(explainCharge({ ...heard, amount: "0.0000825" })).toMatchObject({
    promptTokens: 1,
    completionTokens: 2,
    audio: { promptTokens: 2, completionTokens: 1, inputPer1m: "40.00", outputPer1m: "80.00" },
    listPrice: "0.000165",
    charge: "0.0000825",
    cappedAt: null,
  });
});

test("input that was cached is explained apart, at its own price, and so is reasoning", () => {
  const cached = {
    ...charge,
    prompt_tokens: 172_000,
    completion_tokens: 9,
    cached_tokens: 155_000,
    cache_write_tokens: 3_000,
    reasoning_tokens: 4,
    amount: "0.16625",
    price: {
      input_per_1m: "5.00",
      cached_input_per_1m: "0.50",
      cache_write_5m_per_1m: "6.25",
      output_per_1m: "0.00",
      rate: "1",
    },
  };
  expect(explainCharge(cached)).toMatchObject({
    promptTokens: 14_000,
    classes: [
      { name: "Cached input", tokens: 155_000, per1m: "0.50" },
      { name: "Cache write, 5 min", tokens: 3_000, per1m: "6.25" },
    ],
    reasoningTokens: 4,
    charge: "0.16625",
    cappedAt: null,
    notes: [],
  });
});

test("the prices of a long prompt and figures that contradict each other are said", () => {
  const price = { input_per_1m: "10.00", output_per_1m: "2.00", rate: "1", long_context_from: 200_000 };
  const notes = explainCharge({ ...charge, is_cache_contradicted: true, price })?.notes;
  expect(notes).toEqual([
    "At the prices of prompts with more than 200,000 tokens.",
    "The provider’s figures of cached tokens contradict each other, so all are charged as input.",
  ]);
});
