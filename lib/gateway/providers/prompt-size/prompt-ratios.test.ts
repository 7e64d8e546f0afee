import { expect, test } from "bun:test";
import fc from "fast-check";
import { PromptRatios } from "./text-tokens";

test("nothing is known of a model before its first call", () => {
  const ratios = new PromptRatios();
  ratios.learn("a", 100, 20);
  expect(ratios.bound("b", 100)).toBeNull();
});

test("a prompt like those before is bounded a little above what they had", () => {
  const ratios = new PromptRatios();
  for (let call = 0; call < 3; call++) ratios.learn("a", 100, 20);
  expect(ratios.bound("a", 100)).toBe(21);
});

test("the highest ratio counts, and is forgotten slowly", () => {
  const ratios = new PromptRatios();
  ratios.learn("a", 100, 90);
  for (let call = 0; call < 10; call++) ratios.learn("a", 100, 20);
  expect(ratios.bound("a", 100)).toBeGreaterThan(80);
  for (let call = 0; call < 1_000; call++) ratios.learn("a", 100, 20);
  expect(ratios.bound("a", 100)).toBe(21);
});

test("a prompt of another size is bounded by the nearest: what it has beyond a shorter one may be of any density", () => {
  const ratios = new PromptRatios();
  ratios.learn("a", 100, 20);
  expect(ratios.bound("a", 400)).toBe(Math.ceil((20 + (300 * 4) / 3) * 1.03));
  ratios.learn("a", 1_000, 600);
  expect(ratios.bound("a", 400)).toBe(Math.ceil(240 * 1.03));
  expect(ratios.bound("a", 50)).toBe(Math.ceil(10 * 1.03));
});

test("no prompt exceeds its bound where ratios only fall with the length of fixed parts", () => {
  const fixed = fc.integer({ min: 0, max: 100 });
  const density = fc.double({ min: 0.2, max: 4 / 3, noNaN: true });
  const sizes = fc.array(fc.integer({ min: 110, max: 100_000 }), { minLength: 1, maxLength: 20 });
  const seed = Date.now() % 2 ** 31;
  fc.assert(
    fc.property(fixed, density, sizes, sizes, (uncounted, tokensPer, before, after) => {
      const count = (estimated: number) => Math.floor((estimated - uncounted) * tokensPer);
      const ratios = new PromptRatios();
      for (const estimated of before) ratios.learn("a", estimated, count(estimated));
      for (const estimated of after) {
        const bound = ratios.bound("a", estimated) ?? Number.POSITIVE_INFINITY;
        // Within a class of sizes, the fixed part may weigh less than for what was seen.
        const class_ = estimated / 2 ** (1 / 4);
        if (before.some((one) => one > class_ && one < estimated)) continue;
        expect([seed, bound]).toEqual([seed, Math.max(bound, count(estimated))]);
      }
    }),
    { seed },
  );
});
