import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findFaultSoFar, findSchemaFault } from "./check-schema-thread";
import { parsePartialJson } from "./partial-json";

const order = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 3 },
    total: { type: "number", maximum: 500 },
    lines: {
      type: "array",
      minItems: 2,
      items: { type: "object", properties: { count: { type: "integer" } } },
    },
    kind: { enum: ["sale", "return"] },
    payer: { anyOf: [{ type: "null" }, { type: "object", required: ["id"] }] },
  },
  required: ["name", "total", "signature"],
  additionalProperties: false,
};
const whole = {
  name: "Ada",
  total: 12.5,
  lines: [{ count: 1 }, { count: 2 }],
  kind: "sale",
  payer: { id: 1 },
};

describe("a whole answer", () => {
  test("lacks a required property that the schema doesn't describe", () => {
    const schema = { type: "object", properties: {}, required: ["signature"] };
    expect(findSchemaFault({}, schema)).toBe('$: the property "signature" is missing');
    expect(findSchemaFault({ signature: 1 }, schema)).toBeNull();
  });

  test("is named with its location and the expected value", () => {
    const { additionalProperties: _, ...lax } = order;
    const signed = { ...whole, signature: "x" };
    expect(findSchemaFault(signed, lax)).toBeNull();
    expect(findSchemaFault({ ...signed, total: "12" }, lax)).toBe("$.total: expected number");
    expect(findSchemaFault({ ...signed, lines: [{ count: 1 }, { count: 1.5 }] }, lax)).toBe(
      "$.lines[1].count: expected integer",
    );
    expect(findSchemaFault(signed, order)).toBe("$.signature: is not allowed by the schema");
    expect(findSchemaFault({ "a b/c": 1 }, { properties: { "a b/c": { type: "string" } } })).toBe(
      '$["a b/c"]: expected string',
    );
  });

  test("that isn't JSON, and a schema that can't be read", () => {
    expect(findSchemaFault(undefined, order)).toBe("The answer is not JSON.");
    expect(findSchemaFault(1, [])).toBe("The schema is not an object.");
    expect(findSchemaFault(1, { $ref: "#/$defs/none" })).toStartWith("The schema can’t be checked here");
  });
});

describe("an answer that streams", () => {
  const faultAt = (text: string) => findFaultSoFar(text, order);

  test("fits as long as the missing part may still arrive", () => {
    const { additionalProperties: _, ...lax } = order;
    const text = JSON.stringify({ ...whole, signature: "x" });
    for (let length = 0; length <= text.length; length++)
      expect([length, findFaultSoFar(text.slice(0, length), lax)]).toEqual([length, null]);
  });

  test("breaks at the first value of a wrong type, as soon as it begins", () => {
    expect(faultAt('{"name":"Ada","total":"')).toBe("$.total: expected number");
    expect(faultAt('{"lines":[{"count":{')).toBe("$.lines[0].count: expected integer");
    expect(faultAt('{"name":n')).toBe("$.name: expected string");
  });

  test("waits for the end of a value that may still become valid", () => {
    expect(faultAt('{"name":"A')).toBeNull();
    expect(faultAt('{"name":"A"')).toContain("$.name");
    expect(faultAt('{"kind":"sa')).toBeNull();
    expect(faultAt('{"kind":"sa"')).toContain("$.kind");
    expect(faultAt('{"lines":[{"count":1}')).toBeNull();
    expect(faultAt('{"lines":[{"count":1}]')).toContain("$.lines");
    expect(faultAt('{"total":900')).toBeNull();
    expect(faultAt('{"total":900,')).toContain("$.total");
    expect(faultAt('{"payer":{')).toBeNull();
    expect(faultAt('{"payer":{}')).toContain("$.payer");
  });

  test("breaks at a property that isn't allowed, and where it stops being JSON", () => {
    expect(faultAt('{"colour":1')).toBe("$.colour: is not allowed by the schema");
    expect(faultAt("Here is your JSON: {")).toBe("The answer is not JSON from character 1 on.");
    expect(faultAt('{"name":"Ada" "total"')).toBe("The answer is not JSON from character 15 on.");
  });

  test("accepts every prefix of valid JSON, and reads it as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, cut) => {
        const all = parsePartialJson(text);
        expect([...all.open].filter((location) => location !== "")).toEqual([]);
        expect(all.brokenAt).toBeNull();
        expect(all.value).toEqual(JSON.parse(text));
        expect(parsePartialJson(text.slice(0, cut % (text.length + 1))).brokenAt).toBeNull();
      }),
    );
  });
});
