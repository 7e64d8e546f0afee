import { expect, test } from "bun:test";
import { checkedParameters, timeParameters } from "./checked-parameters";
import { findInQuery } from "./time-range";

test("what the gateway would refuse, or is empty, doesn't filter", () => {
  const checks = { status: (text: string) => /^\d{3}$/.test(text) };
  const find = (query: Record<string, string>) =>
    checkedParameters(["status", "model"], checks, findInQuery(query));
  expect(find({ status: " 429 ", model: " gpt-5", other: "x" })).toEqual({ status: "429", model: "gpt-5" });
  expect(find({ status: "many", model: "  " })).toEqual({});
});

test("a range that starts before 1970 starts there, and one without limits sends none", () => {
  expect(timeParameters({ start: -5, end: 9 })).toEqual({ start_time: "0", end_time: "9" });
  expect(timeParameters({ start: null, end: null })).toEqual({ start_time: undefined, end_time: undefined });
});
