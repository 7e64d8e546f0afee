import { expect, test } from "bun:test";
import { describeCharge } from "./receipt";

const charge = {
  promptTokens: 3,
  completionTokens: 1_500,
  inputPer1m: "1.00",
  outputPer1m: "2.00",
  rate: "0.50",
  made: null,
  audio: null,
  classes: [],
  tools: [],
  reasoningTokens: 0,
  notes: [],
  listPrice: "0.003003",
  charge: "0.0015015",
  cappedAt: null,
};
const tokens = "(3 × 1.00 + 1,500 × 2.00) ÷ 1,000,000";

test("a charge is its tokens × list price × model rate", () => {
  expect(describeCharge(charge)).toBe(`${tokens} × model rate 0.50`);
});

test("tokens of audio stand at their own price, and a cap is told", () => {
  const audio = { promptTokens: 20, completionTokens: 0, inputPer1m: "40.00", outputPer1m: "80.00" };
  expect(describeCharge({ ...charge, audio, cappedAt: "0.001" })).toBe(
    "(3 × 1.00 + 1,500 × 2.00 + 20 of audio × 40.00) ÷ 1,000,000 × model rate 0.50, capped at the hold: 0.001",
  );
});

test("input that was cached stands at its own price", () => {
  const classes = [{ name: "Cached input", tokens: 155_000, per1m: "0.50" }];
  expect(describeCharge({ ...charge, classes })).toBe(
    "(3 × 1.00 + 155,000 of cached input × 0.50 + 1,500 × 2.00) ÷ 1,000,000 × model rate 0.50",
  );
});

test("output priced by the unit stands alone, or before the tokens that are charged too", () => {
  const made = { units: "12", unit: "character", amount: "0.0000100" };
  const alone = { ...charge, made, promptTokens: 0, completionTokens: 0 };
  expect(describeCharge(alone)).toBe("12 characters × 0.00001 × model rate 0.50");
  expect(describeCharge({ ...charge, made })).toBe(`(12 characters × 0.00001 + ${tokens}) × model rate 0.50`);
});
