import { expect, test } from "bun:test";
import { findUnlikelyPrices, warnAboutUnitPrice } from "./find-unlikely-prices";

const saved = { rate: "0.2", input_per_1m: "2.50", output_per_1m: "10.00" };
const warn = (typed: Partial<typeof saved>) => findUnlikelyPrices({ ...saved, ...typed }, saved);

test("an ordinary change is not asked about", () => {
  expect(warn({})).toEqual([]);
  expect(warn({ rate: "0.5", input_per_1m: "3.00", output_per_1m: "24.99" })).toEqual([]);
  expect(warn({ input_per_1m: "0" })).toEqual([]);
  expect(warn({ input_per_1m: "", output_per_1m: "ten", rate: "-1" })).toEqual([]);
});

test("a price for one token, or for a thousand, is recognized by its size", () => {
  expect(warn({ input_per_1m: "0.0000025" })).toEqual([
    "The input list price is about the present one ÷ 1,000,000: is it the price per token? It is for 1,000,000.",
  ]);
  expect(warn({ output_per_1m: "0.012" })).toEqual([
    "The output list price is about the present one ÷ 1,000: is it the price per 1,000 tokens? It is for 1,000,000.",
  ]);
  expect(warn({ input_per_1m: "2500000" })).toEqual([
    "The input list price is about 1,000,000 × the present one: is it meant for less than 1,000,000 tokens?",
  ]);
});

test("ten times as much or as little is asked about, of the rate too", () => {
  expect(warn({ rate: "20" })).toEqual(["The model rate is 100 × the present one. Is that right?"]);
  expect(warn({ rate: "0.02" })).toEqual(["The model rate is the present one ÷ 10. Is that right?"]);
  expect(warn({ output_per_1m: "200" })).toEqual([
    "The output list price is 20 × the present one. Is that right?",
  ]);
});

test("a new model's price that is too small for 1,000,000 tokens is asked about", () => {
  const typed = { rate: "1", input_per_1m: "0.00000025", output_per_1m: "0" };
  expect(findUnlikelyPrices(typed, undefined)).toEqual([
    "Is the input list price one of a single token? It is for 1,000,000.",
  ]);
});

test("prices of audio and the batch rate are asked about like those of text", () => {
  const heard = { ...saved, batch_rate: "0.1", audio_input: "40.00", audio_output: "80.00" };
  const ask = (typed: Partial<typeof heard>) => findUnlikelyPrices({ ...heard, ...typed }, heard);
  expect(ask({ audio_input: "45.00", audio_output: "" })).toEqual([]);
  expect(ask({ audio_input: "40000000" })).toEqual([
    "The audio input price is about 1,000,000 × the present one: is it meant for less than 1,000,000 tokens?",
  ]);
  expect(ask({ audio_output: "0.00008" })).toEqual([
    "The audio output price is about the present one ÷ 1,000,000: is it the price per token? It is for 1,000,000.",
  ]);
  expect(ask({ audio_output: "0.09" })).toEqual([
    expect.stringContaining("is it the price per 1,000 tokens?"),
  ]);
  expect(ask({ batch_rate: "10" })).toEqual(["The batch rate is 100 × the present one. Is that right?"]);
});

test("a first price of text or audio is asked about if it is far too low or far too high", () => {
  const free = { rate: "1", input_per_1m: "0", output_per_1m: "0" };
  const ask = (audio_input: string, input_per_1m = "0") =>
    findUnlikelyPrices({ ...free, input_per_1m, audio_input }, { ...free, audio_input: "" });
  expect(ask("40.00")).toEqual([]);
  expect(ask("0.00004")).toEqual(["Is the audio input price one of a single token? It is for 1,000,000."]);
  expect(ask("40000000", "2500000")).toEqual([
    "Is the input list price one of more than 1,000,000 tokens? It is for 1,000,000.",
    "Is the audio input price one of more than 1,000,000 tokens? It is for 1,000,000.",
  ]);
});

test.each([
  [
    "second",
    "0.01",
    "0.60",
    "about 60 × the present one: is it the price of a minute? It is for one second.",
  ],
  [
    "second",
    "0.01",
    "36",
    "about 3,600 × the present one: is it the price of an hour? It is for one second.",
  ],
  [
    "minute",
    "0.006",
    "0.0001",
    "about the present one ÷ 60: is it the price of a second? It is for one minute.",
  ],
  [
    "character",
    "0.000015",
    "15",
    "about 1,000,000 × the present one: is it the price of 1,000,000 characters?",
  ],
  ["character", "0.000015", "0.015", "about 1,000 × the present one: is it the price of 1,000 characters?"],
  ["image", "0.04", "40", "about 1,000 × the present one: is it the price of 1,000 images?"],
  ["megapixel", "0.02", "0.00000002", "about the present one ÷ 1,000,000: is it the price of a pixel?"],
  ["image", "0.04", "0.50", "The list price is 12 × the present one. Is that right?"],
] as const)("a list price of one %s, %s before and %s now, is asked about", (unit, before, now, words) => {
  const asked = warnAboutUnitPrice({ rate: "1", amount: now }, { rate: "1", amount: before }, unit);
  expect(asked).toEqual([expect.stringContaining(words)]);
});

test("an ordinary price of a unit is not asked about, and a new one only if it is far too high", () => {
  const ask = (rate: string, amount: string, before?: string) =>
    warnAboutUnitPrice({ rate, amount }, before ? { rate: "0.5", amount: before } : undefined, "character");
  expect(ask("0.5", "0.00003", "0.000015")).toEqual([]);
  expect(ask("0.5", "0", "0.000015")).toEqual([]);
  expect(ask("1", "0.00003")).toEqual([]);
  expect(ask("1", "15")).toEqual(["Is the list price one of several characters? It is for one character."]);
  expect(ask("5", "0.000015", "0.000015")).toEqual([
    "The model rate is 10 × the present one. Is that right?",
  ]);
});
