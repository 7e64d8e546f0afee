import { expect, test } from "bun:test";
import { findPriceFault } from "@/lib/contract/calls/find-price-fault";
import { modelFamilies } from "@/lib/contract/calls/model-families";
import type { ModelDraft } from "@/lib/contract/operations/models/models";
import { listPriceUnits, toModelDraft } from "./new-model";
import { newModelSchema } from "./new-model-schema";

const typed = {
  id: "m",
  rate: "1",
  routes: [{ provider: "openai", model: "m" }],
  price: { input_per_1m: "1", output_per_1m: "2" },
  unit_price: { unit: "minute", amount: "0.01" },
  max_output_tokens: 100,
  context_window: 1_000,
} as const;
const buildDraft = (family: ModelDraft["family"]) =>
  toModelDraft({ ...typed, routes: [...typed.routes], family });

test.each([...modelFamilies])("a new model of the family %s is sent with its own prices alone", (family) => {
  const draft = buildDraft(family);
  expect(findPriceFault(draft)).toBeNull();
  expect(newModelSchema.safeParse({ ...typed, family }).success).toBe(true);
  expect(draft.unit_price === undefined).toBe(listPriceUnits(family).length === 0);
  expect(draft.price === undefined).toBe(listPriceUnits(family).length > 0);
});

test("a transcription model priced by tokens has prices of text and heard audio, and no other kind has the choice", () => {
  const byTokens = (family: ModelDraft["family"]) => ({
    ...typed,
    routes: [...typed.routes],
    family,
    unit_price: { unit: "token", amount: "" } as const,
    audio_price: { input_per_1m: "6", output_per_1m: "" },
  });
  const draft = toModelDraft(byTokens("transcription"));
  expect(draft).toMatchObject({
    price: { input_per_1m: "1", output_per_1m: "2" },
    audio_price: { input_per_1m: "6", output_per_1m: "0" },
    max_output_tokens: 100,
  });
  expect([draft.unit_price, draft.context_window, findPriceFault(draft)]).toEqual([
    undefined,
    undefined,
    null,
  ]);
  expect(toModelDraft(byTokens("speech")).unit_price?.unit).toBe("character");
});

test("a unit of another kind of model becomes the first of this one", () => {
  expect(buildDraft("transcription").unit_price?.unit).toBe("minute");
  expect(buildDraft("image").unit_price?.unit).toBe("image");
});

test("models without output have no output price and no output limit", () => {
  const { price, max_output_tokens, context_window } = buildDraft("embedding");
  expect([price?.output_per_1m, max_output_tokens, context_window]).toEqual(["0", undefined, 1_000]);
});

test("an empty price is the fault of the field that is shown", () => {
  const listFaults = (draft: object) =>
    newModelSchema.safeParse({ ...typed, ...draft }).error?.issues.map(({ path }) => path.join("."));
  expect(listFaults({ family: "image", unit_price: { unit: "image", amount: "" } })).toEqual([
    "unit_price.amount",
  ]);
  expect(listFaults({ family: "chat", price: { input_per_1m: "", output_per_1m: "1" } })).toEqual([
    "price.input_per_1m",
  ]);
});
