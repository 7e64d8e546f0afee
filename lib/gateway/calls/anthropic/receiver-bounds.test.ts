import { expect, test } from "bun:test";
import { boundToolName, fitsStrict } from "./receiver-bounds";

test("names that receivers refuse stay apart, and others stay as they are", () => {
  const long = "n".repeat(80);
  const names = ["a.b", "a/b", "a_b", "é", long, `${long}x`, ""];
  const bound = names.map(boundToolName);
  for (const name of bound) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(new Set(bound).size).toBe(names.length);
  expect(boundToolName("a_b")).toBe("a_b");
});

const closed = (properties: object, more: object = {}) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

test.each<[boolean, unknown]>([
  [true, closed({ a: { type: "string" }, b: { type: "array", items: closed({}) } })],
  [true, closed({ a: { $ref: "#/$defs/a" } }, { $defs: { a: closed({}) } })],
  [false, closed({ a: { type: "string" } }, { required: [] })],
  [false, closed({}, { additionalProperties: true })],
  [false, closed({ a: { type: "object" } })],
  [false, closed({ a: { anyOf: [closed({}), { type: "object" }] } })],
  [false, closed({ a: { type: "string", keyword_of_next_month: 1 } })],
  [false, closed({}, { anyOf: [closed({})] })],
  [false, { type: "string" }],
  [false, null],
])("%p: the schema %j keeps the rules of strict", (fits, schema) => {
  expect(fitsStrict(schema)).toBe(fits);
});
