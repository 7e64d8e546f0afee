import { expect, test } from "bun:test";
import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import { toNano, ZERO } from "@/lib/money/amount";
import { readMediaRequest } from "./create-task";

const price = { unit: "image" as const, amount: toNano(80n), qualities: { draft: ZERO, hd: toNano(160n) } };
const ask = (fields: object) =>
  readMediaRequest("image", price, {
    model: "painter",
    messages: [],
    prompt: "x",
    ...fields,
  } as ChatCompletionRequest);

test("each quality has its own price, also one that is free", () => {
  const amountAt = (quality?: string) => ask({ quality }).perUnit.amount;
  expect([amountAt(), amountAt("standard"), amountAt("hd"), amountAt("draft")]).toEqual([
    toNano(80n),
    toNano(80n),
    toNano(160n),
    ZERO,
  ]);
});

test.each(["toString", "__proto__", "constructor", "", 7, {}])("%p is no quality", (quality) => {
  expect(() => ask({ quality })).toThrow("quality must be");
});

test.each(["0x0", "16x", "1e3x16", "99999x16", "16x16x16", "-16x16", "１６x16", "16X16", 16, null])(
  "%p is no size, but for none",
  (size) => {
    if (size === null) return expect(ask({ size }).order.size).toEqual({ width: 1_024, height: 1_024 });
    expect(() => ask({ size })).toThrow("size must be");
  },
);

test.each([
  ["num_images", "n"],
  ["numImages", "n"],
  ["NUM_IMAGES", "n"],
  ["num_images_per_prompt", "n"],
  ["sampleCount", "n"],
  ["N", "n"],
  ["image_size", "size"],
  ["aspectRatio", "size"],
  ["duration_seconds", "seconds"],
  ["Seconds", "seconds"],
])("%s, which would make an order larger than its price, is refused in favor of %s", (name, pricedName) => {
  expect(() => ask({ [name]: 10 })).toThrow(`${name} is not priced: send ${pricedName} instead`);
  expect(ask({ [name]: null }).units).toBe(ask({}).units);
});

test.each([
  [{ parameters: { sampleCount: 4 } }, "parameters.sampleCount is not priced: send n"],
  [{ inputs: [{ n: 4 }] }, "inputs.0.n is not priced: send n"],
  [{ frame_count: 16 }, "frame_count is not priced: leave it out"],
  [{ complexity: "high" }, "complexity is not priced: leave it out"],
  [{ output_format: "svg" }, "output_format is not priced: send png"],
  [{ outputFormat: "GIF" }, "outputFormat is not priced: send png"],
])("%p, which the price of one picture doesn't cover, is refused", (fields, words) => {
  expect(() => ask(fields)).toThrow(words);
});

test("fields that a price of pictures covers are passed on, and texts may contain any name", () => {
  const fields = { output_format: "webp", background: "transparent", metadata: { n: "3" }, parameters: {} };
  expect(ask(fields).order.extraFields).toEqual(fields);
});
