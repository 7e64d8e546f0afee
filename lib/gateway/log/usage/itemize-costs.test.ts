import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import { itemizeCosts } from "./itemize-costs";
import type { CallSum } from "./usage-reader.sql";

const sum = (group: CallSum["group"], figures: Partial<CallSum> = {}): CallSum => ({
  bucket: 0,
  group: { model: "m", rate: "1000000000", ...group },
  requests: 1,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  audioInputTokens: 0,
  audioOutputTokens: 0,
  amount: toNano(80_000_000n),
  ...figures,
});

test.each([
  ["image", 3_000_000, "m, images", 3, "images"],
  ["megapixel", 2_097_152, "m, megapixels", 2.097152, null],
  ["second", 8_000_000, "m, seconds", 8, "duration_seconds"],
  ["minute", 90_500_000, "m, seconds", 90.5, "duration_seconds"],
  ["character", 6_000_000, "m, characters", 6, "characters"],
] as const)("what a price by the %s charges for is one item", (unit, parts, name, quantity, itemUnit) => {
  const [item, ...others] = itemizeCosts(sum({ unit }, { mediaOutput: { files: 1, parts } }));
  expect(others).toEqual([]);
  expect(item).toMatchObject({ name, quantity, unit: itemUnit, amount: toNano(80_000_000n) });
});

test("tokens are two items, which add up to the charge", () => {
  const group = { input_per_1m: "1000000000", output_per_1m: "2000000000", unit: null };
  const items = itemizeCosts(sum(group, { inputTokens: 20_000, outputTokens: 30_000 }));
  expect(items.map(({ name, quantity, unit, amount }) => [name, quantity, unit, amount])).toEqual([
    ["m, input_tokens", 20_000, "tokens", toNano(20_000_000n)],
    ["m, output_tokens", 30_000, "tokens", toNano(60_000_000n)],
  ]);
});
