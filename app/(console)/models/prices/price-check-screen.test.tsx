import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import type { PriceDifference } from "@/lib/contract/operations/models/price-checks";
import { pricePlanColumns } from "./price-check-screen";

const row: PriceDifference = {
  id: "gpt-5",
  provider: "openai",
  model: "gpt-5",
  price: { input_per_1m: "1.25", output_per_1m: "10", cache_write_1h_per_1m: "2.5" },
  new_price: {
    input_per_1m: "1.25",
    output_per_1m: "8",
    cache_write_1h_per_1m: "2",
    long_context_from: 200_000,
    long_context: { input_per_1m: "2.5" },
  },
  last_month: { calls: 3, charged: "10", at_price: "10", at_new_price: "8" },
};

const show = (id: string) => {
  const column = pricePlanColumns("USD").find((one) => one.id === id);
  return renderToStaticMarkup(<>{column?.cell(row)}</>).replaceAll(/<[^>]+>/g, "");
};

test("a price that differs shows both of its values, one that doesn't shows one", () => {
  expect(show("output_per_1m")).toBe("from 10.00 to 8.00");
  expect(show("input_per_1m")).toBe("1.25");
  expect(show("cached_input_per_1m")).toBe("–");
});

test("prices without a column of their own are named where they differ", () => {
  expect(show("model")).toContain("cache write (1 h) from 2.50 to 2.00");
  expect(show("model")).toContain("input above 200,000 tokens from – to 2.50");
});

test("the effect on last month is said", () => {
  expect(show("at_new_price")).toContain("8.00down 20 %");
});
