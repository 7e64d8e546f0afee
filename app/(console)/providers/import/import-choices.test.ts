import { expect, test } from "bun:test";
import type { OfferedModel } from "@/lib/contract/operations/models/provider-tests";
import { beginChoices, findMissing, toImportedModels } from "./import-choices";

const offered = (model: string, more: Partial<OfferedModel> = {}): OfferedModel => ({
  model,
  suggested_id: model,
  family: "chat",
  context_window: 400_000,
  max_output_tokens: null,
  input_modalities: null,
  price: { input_per_1m: "1", cached_input_per_1m: "0.1", cache_write_5m_per_1m: "1.25", output_per_1m: "2" },
  unit_price: null,
  audio_price: null,
  price_source: "catalogue",
  imported: null,
  unusable: null,
  ...more,
});
const unpriced = { price: null, price_source: null };

test("models with a known price are ticked, and those that are here, can't be called or have none are not", () => {
  const choices = beginChoices([
    offered("a"),
    offered("b", { imported: { id: "b", rate: "1" } }),
    offered("c", { unusable: "needs another API" }),
    offered("d", unpriced),
    offered("e", { suggested_id: "" }),
  ]);
  expect([...choices.values()].map(({ isTicked }) => isTicked)).toEqual([true, false, false, false, false]);
  const many = Array.from({ length: 61 }, (_, number) => offered(`m${number}`));
  expect([...beginChoices(many).values()].some(({ isTicked }) => isTicked)).toBe(false);
});

test("a ticked model lacks the price of input, then that of output, and only what its family has", () => {
  const model = offered("d", unpriced);
  const [choice] = beginChoices([model]).values();
  if (!choice) throw new Error("no choice");
  expect(findMissing(model, choice)).toMatchObject({ field: "input", sentence: "Input price missing" });
  expect(findMissing(model, { ...choice, input: "1" })).toMatchObject({ field: "output" });
  expect(findMissing(model, { ...choice, input: "1", output: "1,5" })?.sentence).toContain("isn’t a number");
  expect(findMissing(model, { ...choice, input: "1", output: "0" })).toBeNull();
  const vectors = offered("v", { ...unpriced, family: "embedding" });
  expect(findMissing(vectors, { ...choice, input: "0.1" })).toBeNull();
  const speech = offered("s", { ...unpriced, family: "speech" });
  const [spoken] = beginChoices([speech]).values();
  expect(spoken && findMissing(speech, spoken)).toMatchObject({
    field: "amount",
    sentence: "Price per character missing",
  });
});

test("an import carries the other classes of the catalogue beside typed prices, and own rates and ids", () => {
  const models = [
    offered("a"),
    offered("s", { family: "speech", price: null, unit_price: { unit: "character", amount: "0.1" } }),
  ];
  const choices = new Map(beginChoices(models));
  const a = choices.get("a");
  if (a) choices.set("a", { ...a, input: "0.9", cached: "", rate: "2", id: "mine" });
  expect(toImportedModels(models, choices)).toEqual([
    {
      model: "a",
      id: "mine",
      family: "chat",
      rate: "2",
      price: { input_per_1m: "0.9", cache_write_5m_per_1m: "1.25", output_per_1m: "2" },
      context_window: 400_000,
    },
    {
      model: "s",
      id: "s",
      family: "speech",
      unit_price: { unit: "character", amount: "0.1" },
      context_window: 400_000,
    },
  ]);
});
