import { expect, test } from "bun:test";
import { toPython } from "./api-snippets";

test("a Python literal writes true and null as True and None", () => {
  expect(toPython({ a: [true, null, "x", 1], b: {} })).toBe(
    '{\n    "a": [\n        True,\n        None,\n        "x",\n        1,\n    ],\n    "b": {},\n}',
  );
});
