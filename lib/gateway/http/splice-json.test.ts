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
    fc.property(object, changes, indent, (before, changed, space) => {
      const text = space + JSON.stringify(before, null, space) + space;
      const scanned = scanObject(text);
      const texts = new Map(
        changed.map(([key, value]) => [key, value === null ? null : JSON.stringify(value)]),
      );
      const expected: Record<string, unknown> = JSON.parse(text);
      for (const [key, value] of changed) {
        if (value === null) delete expected[key];
        else expected[key] = value;
      }
      expect(JSON.parse(spliceObject(text, scanned, texts))).toEqual(JSON.parse(JSON.stringify(expected)));
    }),
    { numRuns: 2_000 },
  );
});

test("keeps the bytes of unchanged members", () => {
  const text = '{ "model" : "a",\n "seed": 1e400, "x":[1.0, "\\u0041"] }';
  const spliced = spliceObject(text, scanObject(text), new Map([["model", '"b"']]));
  expect(spliced).toBe('{ "model" : "b",\n "seed": 1e400, "x":[1.0, "\\u0041"] }');
});

test("a duplicate key is found, however it is escaped", () => {
  expect(scanObject('{"model":"cheap","n":1,"mod\\u0065l":"dear"}').duplicate).toBe("model");
  expect(scanObject('{"a":{"model":1},"model":{"model":2}}').duplicate).toBeNull();
});

const bounds = { depth: 64, entries: 100, members: 10 };
const excessOf = (text: string, bound: Partial<typeof bounds>) =>
  scanObject(text, { ...bounds, ...bound }).excess;

test("depth is counted outside strings, and ends the scan", () => {
  expect(excessOf('{"a":[[1]]}', { depth: 3 })).toBeNull();
  expect(excessOf('{"a":[[[1]]]}', { depth: 3 })).toBe("depth");
  expect(excessOf('{"a":"[[[[\\"[[["}', { depth: 1 })).toBeNull();
  expect(excessOf("[".repeat(1_000_000), {})).toBe("depth");
});

test("members, elements, objects and arrays are counted at every depth, outside strings", () => {
  const entries = 5;
  expect(excessOf('{"a":[1,2,3,4]}', { entries })).toBeNull();
  expect(excessOf('{"a":[1,2,3,4,5]}', { entries })).toBe("entries");
  expect(excessOf('{"a":[{},{},{}]}', { entries })).toBe("entries");
  expect(excessOf('{"a":{"b":1,"c":1,"b":1,"b":1,"b":1}}', { entries })).toBe("entries");
  expect(excessOf('{"a":",,,,,,[[[[{{{"}', { entries })).toBeNull();
});

test("only fields of the outermost object are counted", () => {
  expect(excessOf('{"a":1,"b":{"a":1,"b":1,"c":1},"c":1}', { members: 2 })).toBeNull();
  expect(excessOf('{"a":1,"b":1,"c":1,"d":1}', { members: 2 })).toBe("members");
});

test("text that is not JSON ends too", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\ a1') }), (text) => {
      scanObject(text, bounds);
    }),
    { numRuns: 5_000 },
  );
});
