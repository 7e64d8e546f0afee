import { expect, test } from "bun:test";
import type { ChargedUnits } from "@/lib/contract/operations/usage/charged-units";
import { parseCheckedAmount, ZERO } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import { writeDay } from "./day-csv";
import { buildWeekMix, listUnitModels, type Week } from "./week-mix";
import { computeMixCost, OTHER_MODELS, parseMix, usualLine, writeMix } from "./work-mix";

const rate = parseCheckedAmount("0.5");
const byUnit = (unit: string, amount: string): PriceSnapshot => ({
  inputPer1m: ZERO,
  outputPer1m: ZERO,
  rate,
  perUnit: { unit, amount: parseCheckedAmount(amount) },
});
const sheet = new Map<string, PriceSnapshot>([
  ["mini", { inputPer1m: parseCheckedAmount("1.00"), outputPer1m: parseCheckedAmount("2.00"), rate }],
  ["painter", byUnit("image", "0.04")],
  ["painter hd", byUnit("image", "0.08")],
  ["scribe", byUnit("minute", "0.006")],
  ["speaker", byUnit("character", "0.000015")],
]);
const figures = { requests: 70, prompt_tokens: 7_000, cached_tokens: 2_800, completion_tokens: 140_000 };
const group = (id: string, amount: string) => ({ id, totals: { ...figures, amount } });
const charged = (unit: string, list_price: string, units: string, calls: number) =>
  ({ unit, list_price, units, calls }) as ChargedUnits["data"][number];
const buildWeek = (
  groups: readonly ReturnType<typeof group>[],
  units: Record<string, ChargedUnits["data"]> = {},
  rest: unknown = null,
): Week => ({ summary: { groups, rest } as never, units: new Map(Object.entries(units)), days: 7 });

test("the last seven days become an average day of calls", () => {
  expect(buildWeekMix(buildWeek([group("mini", "0.15")]), sheet)).toEqual([
    { ...usualLine, model: "mini", calls: "10", input: "60", cached: "40", output: "2,000" },
  ]);
});

test("tokens of audio become a part of the average call where they have prices of their own", () => {
  const listener = { ...sheet.get("mini"), audio: { inputPer1m: rate, outputPer1m: rate } } as PriceSnapshot;
  const heard = { ...figures, input_audio_tokens: 5_600, output_audio_tokens: 35_000, amount: "0.15" };
  const week = buildWeek([{ id: "mini", totals: heard }]);
  const [line] = buildWeekMix(week, new Map([["mini", listener]]));
  // 100 tokens in, of them 80 of audio and 40 cached: the cached ones may be those of audio.
  const text = { input: "0", cached: "20", output: "1,500" };
  expect(line).toEqual({
    ...usualLine,
    model: "mini",
    calls: "10",
    ...text,
    audioInput: "80",
    audioOutput: "500",
  });
  const [plain] = buildWeekMix(week, sheet);
  expect(plain).toMatchObject({
    input: "60",
    cached: "40",
    output: "2,000",
    audioInput: "0",
    audioOutput: "0",
  });
});

test("models priced by the unit have a line with the units that were charged, for each price", () => {
  const groups = ["painter", "scribe", "speaker"].map((id) => group(id, "1.00"));
  expect(listUnitModels(buildWeek(groups).summary, sheet)).toEqual(["painter", "scribe", "speaker"]);
  const units = {
    painter: [
      charged("image", "0.04", "14.00", 7),
      charged("image", "0.08", "7.00", 7),
      charged("image", "0.03", "14.00", 14),
    ],
    scribe: [charged("minute", "0.006", "7.00", 14), charged("minute", "0.006", "3.50", 7)],
    speaker: [charged("character", "0.000015", "10500.00", 7)],
  };
  const lines = buildWeekMix(buildWeek(groups, units), sheet);
  expect(lines).toEqual([
    { ...usualLine, model: "painter", calls: "4", units: "1" },
    { ...usualLine, model: "painter hd", calls: "1", units: "1" },
    { ...usualLine, model: "scribe", calls: "3", units: "0.5" },
    { ...usualLine, model: "speaker", calls: "1", units: "1,500" },
  ]);
  // 4 × 0.02 + 1 × 0.04 + 3 × 0.0015 + 1 × 0.01125.
  expect(computeMixCost(lines, sheet)).toBe(parseCheckedAmount("0.13575"));
});

test("calls to all other models have a line with what they were charged, so that the day is whole", () => {
  const rest = { groups: 192, totals: { requests: 700, amount: "1.40" } };
  const groups = [group("mini", "0.15"), group("gone", "0.70")];
  const lines = buildWeekMix(buildWeek(groups, {}, rest), sheet);
  expect(lines.at(-1)).toMatchObject({ model: OTHER_MODELS, calls: "110", units: "0.30" });
  const others = parseMix(writeMix(lines)).slice(-1);
  expect(computeMixCost(others, sheet)).toBe(parseCheckedAmount("0.30"));
  expect(writeDay(others, sheet, null)).toMatch(/\nAll other models,110,+0\.30,9\.00\r?\n/);
});

test("a week that began yesterday is divided by the days with calls, as the runway is", () => {
  const week = { ...buildWeek([group("mini", "0.15")]), days: 2 };
  expect(buildWeekMix(week, sheet)[0]?.calls).toBe("35");
});
