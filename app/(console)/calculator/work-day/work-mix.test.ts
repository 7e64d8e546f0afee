import { expect, test } from "bun:test";
import fc from "fast-check";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { formatAmount, parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";
import { computeCharge, type PriceSnapshot } from "@/lib/money/charge";
import {
  buildPriceSheet,
  changedSince,
  parseSheet,
  type SheetPrice,
  withPrice,
  writeSheet,
} from "../price-sheet";
import { writeDay } from "./day-csv";
import {
  computeLineCost,
  computeMixCost,
  parseLineAmount,
  parseMix,
  parseShare,
  usualLine,
  writeMix,
} from "./work-mix";

const nano = fc.bigInt({ min: 1n, max: 10n ** 13n }).map(toNano);
const count = fc.integer({ min: 0, max: 10_000_000 });
const byUnit = (unit: string, amount: string, rate = "0.5"): PriceSnapshot => ({
  inputPer1m: ZERO,
  outputPer1m: ZERO,
  rate: parseCheckedAmount(rate),
  perUnit: { unit, amount: parseCheckedAmount(amount) },
});
const mini = {
  inputPer1m: parseCheckedAmount("1.00"),
  outputPer1m: parseCheckedAmount("2.00"),
  rate: parseCheckedAmount("0.5"),
};
const sheet = new Map<string, PriceSnapshot>([
  ["mini", mini],
  ["painter", byUnit("image", "0.04")],
  ["scribe", byUnit("minute", "0.006")],
]);
const findFault = (text: string, unit: string) =>
  parseLineAmount({ ...usualLine, model: "m", units: text }, "units", byUnit(unit, "1")).fault;

test("cached input and writes to a cache cost their own prices, as in the ledger, also from a link", () => {
  const price = {
    inputPer1m: parseCheckedAmount("5"),
    outputPer1m: parseCheckedAmount("25"),
    rate: parseCheckedAmount("1"),
    classes: {
      cachedInputPer1m: parseCheckedAmount("0.5"),
      cacheWrite5mPer1m: parseCheckedAmount("6.25"),
      longContext: { from: 200_000, inputPer1m: parseCheckedAmount("10") },
    },
  };
  const agents = new Map([["agent", price]]);
  const line = { ...usualLine, model: "agent", calls: "1", output: "0" };
  const agent = { ...line, input: "14k", cached: "155k", written: "3k" };
  expect(formatAmount(computeLineCost(agent, agents) ?? ZERO)).toBe("0.16625");
  expect(formatAmount(computeLineCost({ ...line, input: "200,001" }, agents) ?? ZERO)).toBe("2.00001");
  expect(parseSheet(writeSheet(agents, []))).toEqual(agents);
  expect(changedSince(new Map([["agent", { ...price, classes: {} }]]), agents)).toEqual(["agent"]);
  expect(writeDay([agent], agents, null)).toContain(
    "cache_write_tokens,cached_input_per_1m,cache_write_5m_per_1m",
  );
  expect(parseSheet("1//%7Bbad 5.00 25.00 agent").get("agent")?.classes).toBeUndefined();
});

test("a day of calls by tokens costs what the ledger charges for as many calls, and cached input without a price as input", () => {
  fc.assert(
    fc.property(
      fc.record({ inputPer1m: nano, outputPer1m: nano, rate: nano }),
      fc.tuple(count, count, count, count),
      (price, [calls, input, cached, output]) => {
        const [typed] = parseMix([calls, input, output, "mini", cached, "ignored"].join("\t"));
        const charge = computeCharge({ promptTokens: input + cached, completionTokens: output }, price);
        const cost = typed && computeLineCost(typed, new Map([["mini", price]]));
        expect(cost).toBe(toNano(BigInt(calls) * charge));
      },
    ),
  );
});

test("tokens of audio cost what the ledger charges for them, beside those of text, in a link too", () => {
  const prices = fc.record({ inputPer1m: nano, outputPer1m: nano });
  const amounts = fc.tuple(count, count, count, count, count, count);
  fc.assert(
    fc.property(prices, prices, nano, amounts, (text, audio, rate, counts) => {
      const price = { ...text, rate, audio };
      const [calls, input, cached, output, heard, said] = counts;
      const [typed] = parseMix([calls, input, output, "m", cached, "1", "0", heard, said].join("\t"));
      const usage = {
        promptTokens: input + cached + heard,
        completionTokens: output + said,
        audio: { promptTokens: heard, completionTokens: said },
      };
      const linked = parseSheet(writeSheet(new Map([["m", price]]), []));
      expect(linked.get("m")).toEqual(price);
      const cost = typed && computeLineCost(typed, linked);
      expect(cost).toBe(toNano(BigInt(calls) * computeCharge(usage, price)));
    }),
  );
});

test("a changed price of audio is seen, and a what-if of the text's prices keeps it", () => {
  const audio = { inputPer1m: parseCheckedAmount("40"), outputPer1m: parseCheckedAmount("80") };
  const then = new Map([["mini", { ...mini, audio }]]);
  expect(changedSince(then, new Map([["mini", mini]]))).toEqual(["mini"]);
  expect(changedSince(then, new Map([["mini", { ...mini, audio: { ...audio } }]]))).toEqual([]);
  const tried = { ...mini, inputPer1m: parseCheckedAmount("3.00") };
  expect(withPrice(then, "mini", tried).get("mini")).toEqual({ ...tried, audio });
  const day = writeDay([{ ...usualLine, model: "mini", audioInput: "300", audioOutput: "200" }], then, null);
  expect(
    day
      .trim()
      .split("\r\n")
      .map((line) => line.split(",").slice(-4).join()),
  ).toEqual([
    "audio_input_tokens,audio_output_tokens,audio_input_per_1m,audio_output_per_1m",
    "300,200,40.00,80.00",
  ]);
});

test("a day of calls by the unit costs what the ledger charges for as many calls, to a millionth of a unit", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("second", "minute", "megapixel"),
      fc.record({ amount: nano, rate: nano, calls: count, parts: fc.integer({ min: 0, max: 10 ** 12 }) }),
      (unit, { amount, rate, calls, parts }) => {
        const price = { inputPer1m: ZERO, outputPer1m: ZERO, rate, perUnit: { unit, amount } };
        const units = formatAmount(toNano(BigInt(parts) * 1_000n));
        const line = { ...usualLine, model: "m", calls: String(calls), units, input: "ignored" };
        const charge = computeCharge({ promptTokens: 0, completionTokens: 0, units: parts }, price);
        expect(computeLineCost(line, new Map([["m", price]]))).toBe(toNano(BigInt(calls) * charge));
      },
    ),
  );
});

test("calls in batches cost the batch rate, each rounded as the ledger does", () => {
  const percent = fc.integer({ min: 0, max: 100 });
  fc.assert(
    fc.property(
      fc.record({ inputPer1m: nano, outputPer1m: nano, rate: nano, batchRate: nano }),
      fc.tuple(count, count, count, percent),
      (price, [calls, input, output, share]) => {
        const line = { ...usualLine, model: "m", calls: `${calls}`, input: `${input}`, output: `${output}` };
        const usage = { promptTokens: input, completionTokens: output };
        const batched = Math.round((calls * share) / 100);
        const due =
          BigInt(calls - batched) * computeCharge(usage, price) +
          BigInt(batched) * computeCharge(usage, { ...price, rate: price.batchRate });
        expect(computeLineCost({ ...line, batched: `${share}` }, new Map([["m", price]]))).toBe(toNano(due));
      },
    ),
  );
});

test("a share of batches is a whole percentage, and counts only with a batch rate", () => {
  expect(["0", "50", "100"].map((text) => parseShare(text).value)).toEqual([0, 50, 100]);
  for (const text of ["101", "1k", "-1", "12.5", "half"]) expect(parseShare(text).fault).toMatch(/^Enter /);
  const line = { ...usualLine, model: "mini", calls: "1,000", input: "1,000", output: "500", batched: "50" };
  expect(computeLineCost(line, sheet)).toBe(parseCheckedAmount("1.00"));
  const halved = new Map<string, SheetPrice>([["mini", { ...mini, batchRate: parseCheckedAmount("0.25") }]]);
  expect(computeLineCost(line, halved)).toBe(parseCheckedAmount("0.75"));
  expect(computeLineCost({ ...line, batched: "" }, halved)).toBeNull();
  expect(computeLineCost({ ...line, batched: "500" }, halved)).toBeNull();
  expect(parseMix(writeMix([line]))).toEqual([line]);
  expect(parseSheet(writeSheet(halved, []))).toEqual(halved);
  expect(changedSince(halved, new Map(halved).set("mini", mini))).toEqual(["mini"]);
  expect(withPrice(halved, "mini", { ...mini, rate: parseCheckedAmount("1") }).get("mini")?.batchRate).toBe(
    parseCheckedAmount("0.25"),
  );
  expect(writeDay([line], halved, null).trim().split("\r\n")).toEqual([
    "model,calls_per_day,input_tokens,cached_tokens,output_tokens,units,unit,rate,input_per_1m,output_per_1m,unit_price,cost_per_call,cost_per_day,cost_per_30_days,percent_in_batches,batch_rate,cost_per_batch_line",
    "mini,1000,1000,0,500,,,0.50,1.00,2.00,,0.001,0.75,22.50,50,0.25,0.0005",
  ]);
});

test("a mix of tokens, images and minutes adds up", () => {
  const mix = [
    { ...usualLine, model: "mini", calls: "1,000", input: "600", cached: "400", output: "500" },
    { ...usualLine, model: "painter", calls: "10", units: "2" },
    { ...usualLine, model: "scribe", calls: "100", units: "1.5" },
  ];
  expect(mix.map((line) => computeLineCost(line, sheet))).toEqual(
    ["1.00", "0.40", "0.45"].map(parseCheckedAmount),
  );
  expect(computeMixCost(mix, sheet)).toBe(parseCheckedAmount("1.85"));
});

test("a link made before there were cached tokens and units costs what it did", () => {
  const mix = parseMix("1,000\t1,000\t500\tmini");
  expect(computeMixCost(mix, sheet)).toBe(parseCheckedAmount("1.00"));
  expect(parseMix(writeMix(mix))).toEqual(mix);
  expect(parseSheet("0.5 1.00 2.00 mini")).toEqual(new Map([["mini", mini]]));
});

test("prices by the unit survive a link, and a changed one is seen", () => {
  expect(parseSheet(writeSheet(sheet, ["painter"]))).toEqual(sheet);
  expect(changedSince(sheet, new Map(sheet).set("painter", byUnit("image", "0.05")))).toEqual(["painter"]);
  expect(changedSince(sheet, new Map(sheet).set("scribe", byUnit("second", "0.006")))).toEqual(["scribe"]);
  for (const line of ["0.5 0.04 hour x", "0 0.04 image x", "0.5 -1 image x", "0.5 0.04 image"])
    expect(parseSheet(line).size).toBe(0);
});

test("a quality with its own price can be chosen beside its model", () => {
  const painter = {
    object: "organization.model",
    id: "painter",
    family: "image",
    description: null,
    currency: "USD",
    rate: "0.5",
    batch_rate: null,
    audio_price: null,
    price: null,
    unit_price: { unit: "image", amount: "0.04", qualities: { hd: "0.08" } },
    price_set_at: null,
    max_output_tokens: 1,
    context_window: null,
    routes: [],
    projects: null,
    input_modalities: null,
    source: "database",
    sandbox: false,
    default_rate_limits: builtInRateLimits,
  } as const;
  const priced = buildPriceSheet([{ ...painter, routes: [] }]);
  expect([...priced]).toEqual([
    ["painter", byUnit("image", "0.04")],
    ["painter hd", byUnit("image", "0.08")],
  ]);
  expect(parseSheet(writeSheet(priced, []))).toEqual(priced);
});

test("wrong numbers of units are refused in words", () => {
  expect(findFault("1.5", "image")).toBe("Enter a whole number, without a fraction.");
  expect(findFault("10b", "character")).toBe("Enter at most 9,000,000,000.");
  expect(findFault("9000000001", "second")).toBe("Enter at most 9,000,000,000.");
  expect(findFault("0.0000001", "minute")).toBe("Enter at most 6 decimal places.");
  for (const text of ["-1", "ten", "$10", "1e3"]) expect(findFault(text, "minute")).toMatch(/^Enter /);
  for (const text of ["", "0", "0.000001", "9,000,000,000"]) expect(findFault(text, "megapixel")).toBeNull();
});

test("input and cached input together stay countable", () => {
  const line = { ...usualLine, model: "mini", input: "9007199254740991", cached: "1" };
  expect(parseLineAmount(line, "cached", mini).fault).toMatch(/^Enter at most 9,007,199,254,740,991 tokens/);
  expect(computeLineCost(line, sheet)).toBeNull();
  expect(parseLineAmount({ ...line, cached: "0" }, "cached", mini).fault).toBeNull();
});

test("the day as CSV has only the amounts that each model is priced by, and the cost as computed", () => {
  const mix = [
    { ...usualLine, model: "mini", calls: "1,000", input: "600", cached: "400", output: "500" },
    { ...usualLine, model: "scribe", calls: "100", units: "1.5" },
  ];
  const then = new Map(sheet).set("scribe", byUnit("minute", "0.003"));
  expect(writeDay(mix, sheet, then).trim().split("\r\n")).toEqual([
    "model,calls_per_day,input_tokens,cached_tokens,output_tokens,units,unit,rate,input_per_1m,output_per_1m,unit_price,cost_per_call,cost_per_day,cost_per_30_days,cost_per_day_as_computed",
    "mini,1000,600,400,500,,,0.50,1.00,2.00,,0.001,1.00,30.00,1.00",
    "scribe,100,,,,1.5,minute,0.50,,,0.006,0.0045,0.45,13.50,0.225",
  ]);
});
