import { expect, test } from "bun:test";
import fc from "fast-check";
import { formatAmount, parseCheckedAmount, toNano } from "@/lib/money/amount";
import { computeCharge } from "@/lib/money/charge";
import { computeMonthAtPrice, lastMonthRead, lastMonthUnitsRead } from "./last-month";

const figures = (prompt_tokens: number, completion_tokens: number, amount: string, heard = 0, spoken = 0) =>
  ({
    prompt_tokens,
    completion_tokens,
    input_audio_tokens: heard,
    output_audio_tokens: spoken,
    amount,
  }) as never;
const noAudio = { audio_input: "", audio_output: "" };
const summary = {
  groups: [
    { id: "proj_1", name: "Research", totals: figures(2_000_000, 1_000_000, "1.40") },
    { id: "proj_2", name: null, totals: figures(1_000_000, 0, "0.20") },
  ],
  rest: { groups: 3, totals: figures(500_000, 0, "0.10") },
  totals: figures(3_500_000, 1_000_000, "1.70"),
} as never;

test("last month's tokens are priced by project, and together", () => {
  const typed = { rate: "0.4", input_per_1m: "1.00", output_per_1m: "5.00", ...noAudio };
  expect(computeMonthAtPrice(summary, typed)).toEqual({
    projects: [
      { id: "proj_1", name: "Research", charged: "1.40", atPrice: "2.80" },
      { id: "proj_2", name: "proj_2", charged: "0.20", atPrice: "0.40" },
      { id: "rest", name: "3 other projects", charged: "0.10", atPrice: "0.20" },
    ],
    total: { id: "total", name: "All projects", charged: "1.70", atPrice: "3.40" },
  });
});

test.each([
  { rate: "0", input_per_1m: "1", output_per_1m: "1" },
  { rate: "1", input_per_1m: "", output_per_1m: "1" },
  { rate: "1", input_per_1m: "1", output_per_1m: "-1" },
  { rate: "1", input_per_1m: "1", output_per_1m: "1", audio_input: "ten" },
  { rate: "1", input_per_1m: "1", output_per_1m: "1", audio_output: "1" },
])("nothing is told of what is no price yet: %p", (typed) => {
  expect(computeMonthAtPrice(summary, { ...noAudio, ...typed })).toBeNull();
});

test("tokens of audio are priced as audio, and as text where audio has no price", () => {
  const heard = figures(3_000_000, 1_000_000, "1.00", 2_000_000, 500_000);
  const month = { groups: [], rest: null, totals: heard } as never;
  const text = { rate: "1", input_per_1m: "1.00", output_per_1m: "2.00" };
  expect(computeMonthAtPrice(month, { ...text, ...noAudio })?.total.atPrice).toBe("5.00");
  const spoken = { ...text, audio_input: "10.00", audio_output: "20.00" };
  expect(computeMonthAtPrice(month, spoken)?.total.atPrice).toBe("32.00");
});

test("the month is what the ledger would have charged for its calls, but for the rounding of each", () => {
  const price = fc.bigInt({ min: 0n, max: 10n ** 11n }).map(toNano);
  const tokens = fc.nat(2_000_000);
  const call = fc.tuple(fc.constantFrom("proj_1", "proj_2"), tokens, tokens, fc.nat(100), fc.nat(100));
  const snapshot = fc.record({ rate: price, inputPer1m: price, outputPer1m: price });
  const audioPrice = fc.option(fc.record({ inputPer1m: price, outputPer1m: price }), { nil: undefined });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 40 }), snapshot, audioPrice, (calls, text, audio) => {
      const rate = toNano(text.rate + 1n);
      const charge = ([, prompt, completion, heard, spoken]: (typeof calls)[number]) =>
        computeCharge(
          {
            promptTokens: prompt,
            completionTokens: completion,
            audio: {
              promptTokens: Math.floor((prompt * heard) / 100),
              completionTokens: Math.floor((completion * spoken) / 100),
            },
          },
          { ...text, rate, ...(audio && { audio }) },
        );
      const sumUp = (those: typeof calls) => {
        const sum = (read: (one: (typeof calls)[number]) => number) =>
          those.reduce((total, one) => total + read(one), 0);
        return figures(
          sum((one) => one[1]),
          sum((one) => one[2]),
          "0.00",
          sum((one) => Math.floor((one[1] * one[3]) / 100)),
          sum((one) => Math.floor((one[2] * one[4]) / 100)),
        );
      };
      const ids = [...new Set(calls.map(([id]) => id))];
      const groups = ids.map((id) => ({ id, name: id, totals: sumUp(calls.filter((one) => one[0] === id)) }));
      const month = computeMonthAtPrice({ groups, rest: null, totals: sumUp(calls) } as never, {
        rate: formatAmount(rate),
        input_per_1m: formatAmount(text.inputPer1m),
        output_per_1m: formatAmount(text.outputPer1m),
        audio_input: audio ? formatAmount(audio.inputPer1m) : "",
        audio_output: audio ? formatAmount(audio.outputPer1m) : "",
      });
      const expectNear = (atPrice: string | undefined, those: typeof calls) => {
        const difference =
          parseCheckedAmount(atPrice ?? "") - those.reduce((sum, one) => sum + charge(one), 0n);
        // Each call is rounded by at most half a nano-unit, and so is their sum.
        expect(2n * (difference < 0n ? -difference : difference)).toBeLessThanOrEqual(
          BigInt(those.length) + 1n,
        );
      };
      expectNear(month?.total.atPrice, calls);
      for (const { id, atPrice } of month?.projects ?? []) {
        expectNear(
          atPrice,
          calls.filter((one) => one[0] === id),
        );
      }
    }),
  );
});

test("the month before is a whole one of UTC, over a year's end too", () => {
  const range = (now: string) => {
    const [, { start_time, end_time }] = lastMonthRead("m", Date.parse(now) / 1000);
    return [start_time, end_time].map((at) => new Date(Number(at) * 1000).toISOString().slice(0, 10));
  };
  expect(range("2026-11-22T16:00:00Z")).toEqual(["2026-10-01", "2026-11-01"]);
  expect(range("2027-01-01T00:00:00Z")).toEqual(["2026-12-01", "2027-01-01"]);
  const [, ofUnits] = lastMonthUnitsRead("m", 1_800_000_000);
  expect(ofUnits).toMatchObject({ model_id: "m", start_time: "1796083200", end_time: "1798761600" });
});
