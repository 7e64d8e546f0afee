import { expect, test } from "bun:test";
import { effectOf } from "./price-effect";

test("a rate of 0.2 makes a payment of 10.00 worth 50.00 and a call a fifth of its list price", () => {
  const typed = { rate: "0.2", input_per_1m: "2.5", output_per_1m: "10" };
  expect(effectOf(typed)).toEqual({ worth: "50.00", input: "0.50", output: "2.00" });
});

test("leaves open only what depends on a missing or invalid number", () => {
  const typed = { rate: "3", input_per_1m: "", output_per_1m: "ten" };
  expect(effectOf(typed)).toEqual({ worth: "3.333333333", input: null, output: null });
  expect(effectOf({ ...typed, rate: "0", input_per_1m: "1" })).toEqual({
    worth: null,
    input: null,
    output: null,
  });
});
