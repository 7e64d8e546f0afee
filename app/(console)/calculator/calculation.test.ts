import { expect, test } from "bun:test";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { parseCheckedAmount } from "@/lib/money/amount";
import { daysUntil, endOfNextMonth } from "./balance-lasts";
import { calculate, permanentAddress } from "./calculation";
import { buildPriceSheet, parseSheet, writeSheet } from "./price-sheet";
import type { Asked } from "./use-calculator-address";
import { computeMixCost, parseMix, usualLine, writeMix } from "./work-day/work-mix";

const nothing: Asked = {
  payment: null,
  worth: null,
  model: null,
  rate: null,
  price_in: null,
  price_out: null,
  price_unit: null,
  in: null,
  out: null,
  units: null,
  mix: null,
  until: null,
  at: null,
  prices: null,
};

const buildModel = (id: string, rate: string, input: string, output: string): OrganizationModel => ({
  object: "organization.model",
  id,
  family: "chat",
  description: null,
  currency: "USD",
  rate,
  batch_rate: null,
  audio_price: null,
  price: { input_per_1m: input, output_per_1m: output },
  unit_price: null,
  price_set_at: null,
  max_output_tokens: 100,
  context_window: null,
  routes: [],
  projects: null,
  input_modalities: null,
  source: "database",
  sandbox: false,
  default_rate_limits: builtInRateLimits,
});
const models = [buildModel("mini", "0.2", "0.25", "2.00"), buildModel("a,b;c=d", "0.8", "3.00", "15.00")];
const known = { models, currency: "USD", week: undefined };

test("opens with an answer: a payment of 10.00 with the first model that is an AI", () => {
  const shown = calculate(nothing, known);
  expect(shown.question).toEqual({ payment: parseCheckedAmount("10.00") });
  expect(shown.model?.id).toBe("mini");
  expect(shown.mix).toHaveLength(1);
  expect(computeMixCost(shown.mix, shown.sheet)).toBe(parseCheckedAmount("0.10"));
});

test("a permanent link opens as computed after every rate has changed, beside today's", () => {
  const asked = { ...nothing, worth: "50", model: "mini" };
  const shown = calculate(asked, known);
  const link = permanentAddress(asked, shown, 1_800_000_000, buildPriceSheet(models));
  const dearer = models.map((model) => ({ ...model, rate: "0.4" }));
  const opened = calculate(link, { ...known, models: dearer });
  expect(opened.linked?.at).toBe(1_800_000_000);
  expect(opened.linked?.sheet).toEqual(buildPriceSheet(models));
  expect(opened.linked?.changed).toEqual(["mini", "a,b;c=d"]);
  expect(opened.sheet).toEqual(buildPriceSheet(dearer));
  expect(computeMixCost(opened.mix, opened.linked?.sheet ?? new Map())).toBe(parseCheckedAmount("0.10"));
  expect(computeMixCost(opened.mix, opened.sheet)).toBe(parseCheckedAmount("0.20"));
  expect(calculate(link, known).linked?.changed).toEqual([]);
});

test("changes only the model whose price is tried out", () => {
  const shown = calculate({ ...nothing, model: "mini", rate: "0.5", price_in: "1" }, known);
  expect(shown.isWhatIf).toBe(true);
  expect(shown.sheet.get("mini")).toEqual({
    rate: parseCheckedAmount("0.5"),
    inputPer1m: parseCheckedAmount("1"),
    outputPer1m: parseCheckedAmount("2.00"),
  });
  expect(shown.sheet.get("a,b;c=d")).toEqual(buildPriceSheet(models).get("a,b;c=d"));
});

test("an invalid link shows current figures, never wrong ones", () => {
  for (const prices of ["", "x", "0 1 1 mini", "-1 1 1 mini", "1 1 1", "1e3 1 1 mini", "0.2 0.25 mini"]) {
    expect(calculate({ ...nothing, at: "1800000000", prices }, known).linked).toBeNull();
  }
  const prices = writeSheet(buildPriceSheet(models), []);
  for (const at of ["", "soon", "-1", "99999999999999"]) {
    expect(calculate({ ...nothing, at, prices }, known).linked).toBeNull();
  }
});

test("any model's id survives a link", () => {
  const sheet = buildPriceSheet(models);
  expect(parseSheet(writeSheet(sheet, ["a,b;c=d"]))).toEqual(sheet);
  const mix = [
    {
      model: "a,b;c=d",
      calls: "1 000",
      input: "1,5",
      cached: "2k",
      written: "3",
      output: "",
      audioInput: "3k",
      audioOutput: "-",
      units: "1.5",
      batched: "25",
    },
    { ...usualLine, model: "mini" },
  ];
  expect(parseMix(writeMix(mix))).toEqual(mix);
});

test("a line without a number, or of a model without a price, leaves the sum open", () => {
  const sheet = buildPriceSheet(models);
  const line = { ...usualLine, model: "mini", calls: "10" };
  expect(computeMixCost([line, { ...line, calls: "" }], sheet)).toBeNull();
  expect(computeMixCost([line, { ...line, input: "ten" }], sheet)).toBeNull();
  expect(computeMixCost([line, { ...line, cached: "-1" }], sheet)).toBeNull();
  expect(computeMixCost([line, { ...line, model: "gone" }], sheet)).toBeNull();
  expect(computeMixCost([], sheet)).toBeNull();
});

test("days until a date count today and that day", () => {
  const noon = Date.parse("2026-11-22T12:00:00Z") / 1000;
  expect(daysUntil("2026-11-22", noon)).toBe(1);
  expect(daysUntil("2026-12-31", noon)).toBe(40);
  expect(daysUntil("2026-11-21", noon)).toBeNull();
  expect(daysUntil("soon", noon)).toBeNull();
  expect(endOfNextMonth(noon)).toBe("2026-12-31");
  expect(endOfNextMonth(Date.parse("2026-12-31T23:59:59Z") / 1000)).toBe("2027-01-31");
});

test("a model that is priced by the unit is chosen, tried at another price and kept in a link like any other", () => {
  const painter: OrganizationModel = {
    ...buildModel("painter", "0.5", "0", "0"),
    family: "image",
    price: null,
    unit_price: { unit: "image", amount: "0.04" },
  };
  const all = { ...known, models: [...models, painter] };
  const asked = { ...nothing, model: "painter", units: "3" };
  const shown = calculate(asked, all);
  expect([shown.model?.id, shown.unitPrice.text, shown.isWhatIf]).toEqual(["painter", "0.04", false]);
  expect(shown.call.units).toBe(3_000_000);
  const tried = calculate({ ...asked, price_unit: "0.08" }, all);
  expect(tried.isWhatIf).toBe(true);
  expect(tried.sheet.get("painter")?.perUnit).toEqual({ unit: "image", amount: parseCheckedAmount("0.08") });
  const link = permanentAddress(asked, shown, 1_800_000_000, buildPriceSheet(all.models));
  expect(calculate(link, all).linked).toMatchObject({ changed: [] });
  expect(link.units).toBe("3");
});
