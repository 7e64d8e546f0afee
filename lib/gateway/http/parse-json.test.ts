import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { installPlainMessages } from "@/lib/contract/describe-issue";
import { roleDraft } from "@/lib/contract/operations/people/roles";
import { catchRefusal } from "../testing/catch-refusal";
import { parseJsonObject } from "./parse-json";
import { parseWith } from "./parse-with";

beforeAll(installPlainMessages);

const parse = (body: Uint8Array) => parseJsonObject(body, { entries: 1_000 });
const bytes = (text: string) => new TextEncoder().encode(text);

test("reads back what JSON.stringify writes", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (value) => {
      const text = JSON.stringify(value);
      expect(parse(bytes(text)).value).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ["an empty body", "", "invalid_json"],
  ["white space", " \n", "invalid_json"],
  ["no JSON", "{role: 1}", "invalid_json"],
  ["a cut object", '{"a": [1', "invalid_json"],
  ["something after it", '{"a": 1} x', "invalid_json"],
  ["an array", "[1]", "invalid_json"],
  ["null", "null", "invalid_json"],
  ["a number", "12", "invalid_json"],
])("%s is refused", (_, text, code) => {
  expect(catchRefusal(() => parse(bytes(text)))).toMatchObject({ status: 400, code });
});

test("invalid UTF-8 is refused, never repaired", () => {
  const invalidUtf8 = [...bytes('{"a":"'), 0xc3, 0x28, ...bytes('"}')];
  expect(catchRefusal(() => parse(Uint8Array.from(invalidUtf8)))).toMatchObject({
    code: "invalid_utf8",
  });
});

test("a compressed body is told that it is compressed", () => {
  expect(catchRefusal(() => parse(Bun.gzipSync(bytes('{"a": 1}'))))).toMatchObject({
    message: expect.stringContaining("compressed with gzip"),
  });
});

test("nesting of 64 is read and 65 is refused, a million too; brackets in strings don't count", () => {
  const nestObject = (depth: number) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
  parse(bytes(nestObject(64)));
  for (const depth of [65, 1_000_000]) {
    expect(catchRefusal(() => parse(bytes(nestObject(depth))))).toMatchObject({ code: "too_deep" });
  }
  parse(bytes(JSON.stringify({ a: '[{"\\'.repeat(100) })));
});

test.each([
  ["entries", `{"a":[${"0,".repeat(2_000)}0]}`],
  ["fields", `{${Array.from({ length: 1_002 }, (_, index) => `"f${index}":0`).join()}}`],
])("more %s than are read are refused, with the mend said once", (_, text) => {
  const { code, message } = catchRefusal(() => parseJsonObject(bytes(text), { entries: 2_000 }));
  expect(code).toBe("too_many_entries");
  expect(message.split("Send fewer.")).toHaveLength(2);
});

test("a field that appears twice is refused, because the priced body could differ from the one sent", () => {
  const refusal = catchRefusal(() => parse(bytes('{"model": "a", "m\\u006fdel": "b"}')));
  expect(refusal).toMatchObject({ status: 400, details: { param: "model" } });
});

test.each([
  '{"messages": [{"content": "long", "content": "x"}]}',
  '{"tools": [{"type": "web_search", "t\\u0079pe": "function"}]}',
  '{"a": {"__proto__": 1, "__proto__": 2}}',
  '{"a": [[{"b": {}, "b": {}}]]}',
])("so is one that appears twice at any depth: %s", (text) => {
  expect(catchRefusal(() => parse(bytes(text)))).toMatchObject({
    status: 400,
    details: { param: "body" },
    message: expect.stringContaining("twice"),
  });
});

test("__proto__ is a field like any other: unknown, and no prototype changes", () => {
  const { value } = parse(bytes('{"__proto__": {"polluted": true}, "role_name": "x"}'));
  expect(catchRefusal(() => parseWith(roleDraft, value))).toMatchObject({ status: 400 });
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
