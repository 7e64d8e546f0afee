import { expect, test } from "bun:test";
import { modelFamilies } from "@/lib/contract/model-families";
import { type ModelDraft, priceFaultOf } from "@/lib/contract/operations/models";
import { newModelSchema, toModelDraft, unitsOf } from "./new-model-schema";

const typed = {
  id: "m",
  rate: "1",
  routes: [{ provider: "openai", model: "m" }],
  price: { input_per_1m: "1", output_per_1m: "2" },
  unit_price: { unit: "minute", amount: "0.01" },
  max_output_tokens: 100,
  context_window: 1_000,
} as const;
const draftOf = (family: ModelDraft["family"]) =>
  toModelDraft({ ...typed, routes: [...typed.routes], family });

test.each([...modelFamilies])("a new model of the family %s is sent with its own prices alone", (family) => {
  const draft = draftOf(family);
  expect(priceFaultOf(draft)).toBeNull();
  expect(newModelSchema.safeParse({ ...typed, family }).success).toBe(true);
  expect(draft.unit_price === undefined).toBe(unitsOf(family).length === 0);
  expect(draft.price === undefined).toBe(unitsOf(family).length > 0);
});

test("a unit of another kind of model becomes the first of this one", () => {
  expect(draftOf("transcription").unit_price?.unit).toBe("minute");
  expect(draftOf("image").unit_price?.unit).toBe("image");
});

test("models without output have no output price and no output limit", () => {
  const { price, max_output_tokens, context_window } = draftOf("embedding");
  expect([price?.output_per_1m, max_output_tokens, context_window]).toEqual(["0", undefined, 1_000]);
});

test("an empty price is the fault of the field that is shown", () => {
  const faultsOf = (draft: object) =>
    newModelSchema.safeParse({ ...typed, ...draft }).error?.issues.map(({ path }) => path.join("."));
  expect(faultsOf({ family: "image", unit_price: { unit: "image", amount: "" } })).toEqual([
    "unit_price.amount",
  ]);
  expect(faultsOf({ family: "chat", price: { input_per_1m: "", output_per_1m: "1" } })).toEqual([
    "price.input_per_1m",
  ]);
});
