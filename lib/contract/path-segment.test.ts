import { expect, test } from "bun:test";
import { decodeSegment, encodeSegment, fitsPath } from "./path-segment";

test.each([".", "..", "a/b", "a.b", "...", "50%", "gpt?x#y", "a\\b", ".a/..b"])(
  "%s comes out of a path as it went in, through a client that resolves dots",
  (id) => {
    const { pathname } = new URL(`http://127.0.0.1/v1/models/${encodeSegment(id)}`);
    expect(pathname).toStartWith("/v1/models/");
    expect(decodeSegment(pathname.slice("/v1/models/".length))).toBe(id);
  },
);

test.each(["%", "%zz", "%ff", "%c3%28"])("a malformed %s names nothing", (segment) => {
  expect(decodeSegment(segment)).toBeNull();
});

test.each([
  [true, ["a", "a/b", "meta/llama:8b", "...", ".a", "a..", "%2f", "%2e%2e%2e"]],
  [false, ["", ".", "..", "/", "a/", "/a", "a//b", "a/./b", "../a", "%2e", "%2E.", "a/%2e%2e"]],
])("says %p of whether a path can carry it", (fits, ids) => {
  for (const id of ids) expect([id, fitsPath(id)]).toEqual([id, fits]);
});
