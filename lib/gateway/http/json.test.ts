import { beforeAll, expect, test } from "bun:test";
import * as fc from "fast-check";
import { installPlainMessages } from "@/lib/contract/describe-issue";
import { roleDraft } from "@/lib/contract/operations/people/roles";
import { catchRefusal } from "../testing/catch-refusal";
import {
  parseBounded,
  parseJsonObject,
  refuseBeyondBounds,
  scanObject,
  spliceObject,
  writeJsonObject,
} from "./json";
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

/** The text in pieces of this many bytes. */
function splitBytes(text: string, size: number): Uint8Array[] {
  const whole = Buffer.from(text);
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
    whole.subarray(index * size, (index + 1) * size),
  );
}

const nestArray = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const wide = (entries: number) => `[${"0,".repeat(entries - 2)}0]`;

test("pieces are refused for the same depth and number of entries as the whole text", () => {
  const texts: [string, string | null][] = [
    [nestArray(256), null],
    [nestArray(257), "nested too deeply"],
    [wide(4_000_000), null],
    [wide(4_000_002), "too many entries"],
  ];
  for (const [text, excess] of texts) {
    const checks = [() => parseBounded(text), () => refuseBeyondBounds(splitBytes(text, 1_000))];
    for (const check of checks) {
      if (excess) expect(check).toThrow(excess);
      else expect(check).not.toThrow();
    }
  }
});

test("brackets and commas within strings don't count, wherever the text is cut", () => {
  const text = JSON.stringify({ content: `${"[{,".repeat(500)}\\"${"[".repeat(500)}\\`, after: [1] });
  for (const size of [1, 2, 3, 7, 64]) expect(() => refuseBeyondBounds(splitBytes(text, size))).not.toThrow();
});

const name = fc.oneof(
  fc.constantFrom("model", "n", "prompt", "stream", 'a"b', "\\", "\ud83d\ude00"),
  fc.string(),
);
const object = fc.dictionary(name, fc.jsonValue({ maxDepth: 4 }), { noNullPrototype: true });
const changes = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom("model", "n", "prompt", "stream", "max_tokens"),
    fc.option(fc.jsonValue(), { nil: null }),
  ),
  { selector: ([key]) => key },
);
const indent = fc.constantFrom("", " ", "\t\n");

test("a spliced text means what the changed object means", () => {
  fc.assert(
    fc.property(object, changes, indent, (before, edits, space) => {
      const text = space + JSON.stringify(before, null, space) + space;
      const members = scanObject(text);
      const texts = new Map(
        edits.map(([key, value]) => [key, value === null ? null : JSON.stringify(value)]),
      );
      const expected: Record<string, unknown> = JSON.parse(text);
      for (const [key, value] of edits) {
        if (value === null) delete expected[key];
        else expected[key] = value;
      }
      expect(JSON.parse(spliceObject(text, members, texts))).toEqual(JSON.parse(JSON.stringify(expected)));
    }),
    { numRuns: 2_000 },
  );
});

test("keeps the bytes of unchanged members", () => {
  const text = '{ "model" : "a",\n "seed": 1e400, "x":[1.0, "\\u0041"] }';
  const result = spliceObject(text, scanObject(text), new Map([["model", '"b"']]));
  expect(result).toBe('{ "model" : "b",\n "seed": 1e400, "x":[1.0, "\\u0041"] }');
});

test("a duplicate key is found, however it is escaped", () => {
  expect(scanObject('{"model":"cheap","n":1,"mod\\u0065l":"dear"}').duplicate).toBe("model");
  expect(scanObject('{"a":{"model":1},"model":{"model":2}}').duplicate).toBeNull();
});

const bounds = { depth: 64, entries: 100, members: 10 };
const findExcess = (text: string, bound: Partial<typeof bounds>) =>
  scanObject(text, { ...bounds, ...bound }).excess;

test("depth is counted outside strings, and ends the scan", () => {
  expect(findExcess('{"a":[[1]]}', { depth: 3 })).toBeNull();
  expect(findExcess('{"a":[[[1]]]}', { depth: 3 })).toBe("depth");
  expect(findExcess('{"a":"[[[[\\"[[["}', { depth: 1 })).toBeNull();
  expect(findExcess("[".repeat(1_000_000), {})).toBe("depth");
});

test("members, elements, objects and arrays are counted at every depth, outside strings", () => {
  const entries = 5;
  expect(findExcess('{"a":[1,2,3,4]}', { entries })).toBeNull();
  expect(findExcess('{"a":[1,2,3,4,5]}', { entries })).toBe("entries");
  expect(findExcess('{"a":[{},{},{}]}', { entries })).toBe("entries");
  expect(findExcess('{"a":{"b":1,"c":1,"b":1,"b":1,"b":1}}', { entries })).toBe("entries");
  expect(findExcess('{"a":",,,,,,[[[[{{{"}', { entries })).toBeNull();
});

test("only fields of the outermost object are counted", () => {
  const text = '{"a":1,"b":{"a":1,"b":1,"c":1},"c":1}';
  expect(findExcess(text, { members: 3 })).toBeNull();
  expect(findExcess(text, { members: 2 })).toBe("members");
});

test("text that is not JSON ends too", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\ a1') }), (text) => {
      scanObject(text, bounds);
    }),
    { numRuns: 5_000 },
  );
});

test("an object that is written is as one that was scanned", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant(undefined))), (value) => {
      const { text, scanned } = writeJsonObject(value);
      expect(text).toBe(JSON.stringify(value));
      expect(scanned.members).toEqual(scanObject(text).members);
    }),
  );
});
