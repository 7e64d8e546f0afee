import { expect, test } from "bun:test";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { buildScheduledPriceSchema, toScheduledPriceDraft, toTypedScheduledPrice } from "./schedule-price";

const model = {
  family: "chat",
  rate: "0.20",
  batch_rate: "0.10",
  price: { input_per_1m: "1.00", output_per_1m: "2.00" },
  unit_price: null,
} as OrganizationModel;
const image = {
  family: "image",
  rate: "1.00",
  price: null,
  unit_price: { unit: "image", amount: "0.04", qualities: { hd: "0.08" } },
} as unknown as OrganizationModel;
const at = "2100-01-01T00:00:00";
const seconds = new Date(at).getTime() / 1000;

test("only what was changed is scheduled, both list prices together", () => {
  const typed = { ...toTypedScheduledPrice(model), effective_at: at };
  expect(toScheduledPriceDraft({ ...typed, rate: "0.30" }, model)).toEqual({
    effective_at: seconds,
    rate: "0.30",
  });
  expect(toScheduledPriceDraft({ ...typed, output_per_1m: "3" }, model)).toEqual({
    effective_at: seconds,
    price: { input_per_1m: "1.00", output_per_1m: "3" },
  });
  expect(toScheduledPriceDraft({ ...typed, batch_rate: "" }, model)).toEqual({
    effective_at: seconds,
    batch_rate: null,
  });
});

test("prices of audio are scheduled together, and removed where both are emptied", () => {
  const heard = { ...model, audio_price: { input_per_1m: "40", output_per_1m: "80" } } as OrganizationModel;
  const typed = { ...toTypedScheduledPrice(heard), effective_at: at };
  expect(toScheduledPriceDraft({ ...typed, audio_output: "64" }, heard)).toEqual({
    effective_at: seconds,
    audio_price: { input_per_1m: "40", output_per_1m: "64" },
  });
  const emptied = { ...typed, audio_input: "", audio_output: "" };
  expect(toScheduledPriceDraft(emptied, heard)).toEqual({ effective_at: seconds, audio_price: null });
  const checked = buildScheduledPriceSchema(heard).safeParse({ ...typed, audio_input: "" });
  expect(checked.error?.issues.map(({ path }) => path[0])).toContain("audio_input");
});

test("a change of a unit's price preserves the prices of its other qualities", () => {
  const draft = toScheduledPriceDraft(
    { ...toTypedScheduledPrice(image), effective_at: at, amount: "0.05" },
    image,
  );
  expect(draft.unit_price).toEqual({ unit: "image", amount: "0.05", qualities: { hd: "0.08" } });
});

test("the present prices, a past time and no time are refused at their fields", () => {
  const refused = (values: object) => {
    const checked = buildScheduledPriceSchema(model).safeParse({
      ...toTypedScheduledPrice(model),
      ...values,
    });
    return checked.success ? [] : checked.error.issues.map(({ path }) => path[0]);
  };
  expect(refused({ effective_at: at })).toEqual(["rate"]);
  expect(refused({ effective_at: "2020-01-01T00:00:00", rate: "3" })).toEqual(["effective_at"]);
  expect(refused({ effective_at: "", rate: "3" })).toEqual(["effective_at"]);
  expect(refused({ effective_at: at, rate: "3" })).toEqual([]);
});
