import { expect, test } from "bun:test";
import { checkOnThread } from "./check-on-thread";

const check = (value: unknown, schema: object, isLive = false) =>
  checkOnThread({ text: JSON.stringify(value), schema: JSON.stringify(schema), isLive });

/** Each definition refers twice to the next one, so the last is reached 2^40 times. */
function doublingSchema(): object {
  const links = Array.from({ length: 40 }, (_, at) => {
    const next = { $ref: `#/$defs/a${at + 1}` };
    return [`a${at}`, { allOf: [next, next] }];
  });
  return { $ref: "#/$defs/a0", $defs: { ...Object.fromEntries(links), a40: { type: "object" } } };
}

test("a schema that takes hours holds up neither the page nor the checks after it", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 20);
  const [costly, next, live] = await Promise.all([
    check({}, doublingSchema()),
    check({ a: 1 }, { required: ["b"] }),
    check({ a: 1 }, { type: "array" }, true),
  ]);
  clearInterval(timer);
  expect(costly).toStartWith("The schema can’t be checked here: it takes longer than");
  expect(next).toBe('$: the property "b" is missing');
  expect(live).toBe("$: expected array");
  expect(turns).toBeGreaterThan(0);
});

test("invalid JSON and an endlessly recursive schema each get an answer", async () => {
  expect(await checkOnThread({ text: "{", schema: "{}", isLive: false })).toBe("The answer is not JSON.");
  expect(await check({}, { $ref: "#" })).toStartWith("The schema can’t be checked here");
});
