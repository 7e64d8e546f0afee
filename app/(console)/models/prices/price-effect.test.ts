import { expect, test } from "bun:test";
import { computePriceEffect, computeUnitPriceEffect } from "./price-effect";

test("a rate of 0.2 makes a payment of 10.00 worth 50.00 and a call a fifth of its list price", () => {
  const typed = { rate: "0.2", input_per_1m: "2.5", output_per_1m: "10" };
  expect(computePriceEffect(typed)).toMatchObject({ worth: "50.00", input: "0.50", output: "2.00" });
});

test("tokens of audio have a cost of their own where they have a price", () => {
  const typed = {
    rate: "0.5",
    input_per_1m: "2.5",
    output_per_1m: "10",
    audio_input: "40",
    audio_output: "",
  };
  expect(computePriceEffect(typed)).toMatchObject({ input: "1.25", audioInput: "20.00", audioOutput: null });
});

test("leaves open only what depends on a missing or invalid number", () => {
  const typed = { rate: "3", input_per_1m: "", output_per_1m: "ten" };
  expect(computePriceEffect(typed)).toMatchObject({ worth: "3.333333333", input: null, output: null });
  expect(computePriceEffect({ ...typed, rate: "0", input_per_1m: "1" })).toMatchObject({
    worth: null,
    input: null,
    output: null,
  });
});

test("a price by the unit is shown for one unit and for as many as calls come in", () => {
  expect(computeUnitPriceEffect({ rate: "0.5", amount: "0.04" }, "image")).toEqual({
    many: 100,
    worth: "20.00",
    one: "0.02",
    cost: "2.00",
  });
  expect(computeUnitPriceEffect({ rate: "1", amount: "0.000015" }, "character")).toMatchObject({
    many: 1_000_000,
    one: "0.000015",
    cost: "15.00",
  });
  expect(computeUnitPriceEffect({ rate: "2", amount: "" }, "second")).toMatchObject({
    worth: "5.00",
    one: null,
  });
  expect(computeUnitPriceEffect({ rate: "0", amount: "1" }, "second")).toMatchObject({
    worth: null,
    one: null,
  });
});
