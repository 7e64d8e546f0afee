import { expect, test } from "bun:test";
import { isJsonPointer, readPointer } from "./task-template";

/** The document and the pointers of RFC 6901, section 5. */
const document = {
  foo: ["bar", "baz"],
  "": 0,
  "a/b": 1,
  "c%d": 2,
  "e^f": 3,
  "g|h": 4,
  "i\\j": 5,
  'k"l': 6,
  " ": 7,
  "m~n": 8,
};

test.each([
  ["", document],
  ["/foo", ["bar", "baz"]],
  ["/foo/0", "bar"],
  ["/", 0],
  ["/a~1b", 1],
  ["/c%d", 2],
  ["/e^f", 3],
  ["/g|h", 4],
  ["/i\\j", 5],
  ['/k"l', 6],
  ["/ ", 7],
  ["/m~0n", 8],
] as const)("%j leads to its value", (pointer, value) => {
  expect(isJsonPointer(pointer)).toBe(true);
  expect(readPointer(document, pointer)).toEqual(value as never);
});

test.each([
  "/foo/2",
  "/foo/-",
  "/foo/00",
  "/foo/length",
  "/foo/bar",
  "/constructor",
  "/__proto__",
  "/foo/0/0",
  "/none/at/all",
])("%j leads nowhere", (pointer) => {
  expect(readPointer(document, pointer)).toBeUndefined();
});

test("an escaped tilde before a 1 is not read as a slash", () => {
  expect(readPointer({ "~1": "here", "/": "not here" }, "/~01")).toBe("here");
});

test.each(["foo", "#/foo", "/a~2b", "/a~"])("%j is no pointer", (pointer) => {
  expect(isJsonPointer(pointer)).toBe(false);
});
