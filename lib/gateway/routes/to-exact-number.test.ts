import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import { toExactNumber } from "./format-units";

test("an amount is written as a number with all its digits, also those a float would lose", async () => {
  const writeJson = (nano: bigint) => Response.json({ value: toExactNumber(toNano(nano)) }).text();
  expect(await writeJson(9_007_199_254_740_993_111n)).toBe('{"value":9007199254.740993111}');
  expect(await writeJson(1n)).toBe('{"value":0.000000001}');
  expect(await writeJson(0n)).toBe('{"value":0.00}');
});
