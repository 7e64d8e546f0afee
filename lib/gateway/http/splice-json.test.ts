import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { scanObject } from "./scan-json";
import { spliceObject } from "./splice-json";

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
