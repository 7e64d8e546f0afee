import { expect, test } from "bun:test";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { UsageFigures } from "@/lib/contract/operations/usage/usage-summary";
import { formatAmount } from "@/lib/money/amount";
import { listElsewhere, parseTypedPrices, priceTraffic, readTraffic } from "./traffic-elsewhere";

const month = {
  requests: 1_000,
  prompt_tokens: 30_000_000,
  cached_tokens: 20_000_000,
  completion_tokens: 5_000_000,
  input_audio_tokens: 0,
  output_audio_tokens: 0,
  amount: "140.67",
} as UsageFigures;

const model = (id: string, rate: string, price: object, family = "chat") =>
  ({ id, family, rate, price, audio_price: null }) as OrganizationModel;
const mini = model("mini", "1", {
  input_per_1m: "0.25",
  output_per_1m: "2.00",
  cached_input_per_1m: "0.025",
});

test("last month's calls are priced by class: fresh and cached input, and output", () => {
  const traffic = readTraffic(month);
  expect(traffic).toMatchObject({
    freshTokens: 10_000_000,
    cachedTokens: 20_000_000,
    outputTokens: 5_000_000,
  });
  const own = model("big", "1", { input_per_1m: "5.00", output_per_1m: "15.00" });
  const embedding = model("embedding", "1", { input_per_1m: "0.01", output_per_1m: "0" }, "embedding");
  const half = model("half", "0.5", { input_per_1m: "5.00", output_per_1m: "15.00" });
  const rows = listElsewhere(own, traffic, [own, half, mini, embedding]);
  expect(rows.map((row) => [row.model, formatAmount(row.cost), formatAmount(row.difference)])).toEqual([
    ["mini", "13.00", "-127.67"],
    ["half", "112.50", "-28.17"],
  ]);
});

test("prices of a provider that isn't connected, or another rate, can be typed", () => {
  const typed = { rate: "0.5", input: "1,000", cached: "", output: "0" };
  const prices = parseTypedPrices(typed);
  expect(prices && formatAmount(priceTraffic(readTraffic(month), prices))).toBe("15,000.00".replace(",", ""));
  for (const wrong of [{ rate: "0" }, { input: "-1" }, { output: "much" }, { cached: "x" }])
    expect(parseTypedPrices({ ...typed, ...wrong })).toBeNull();
});
