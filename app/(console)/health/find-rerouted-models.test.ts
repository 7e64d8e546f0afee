import { expect, test } from "bun:test";
import { findReroutedModels } from "./find-rerouted-models";

const circuit = { provider: "acme", model: "m" };
const spare = { provider: "spare", model: "m" };

test("calls of an open circuit go to the model's first route whose circuit is closed, or are refused", () => {
  const models = [
    { id: "alone", routes: [circuit] },
    { id: "with-spare", routes: [circuit, spare] },
    { id: "elsewhere", routes: [spare] },
    { id: "other-model", routes: [{ provider: "acme", model: "other" }] },
  ];
  expect(findReroutedModels(circuit, [circuit], models)).toEqual([
    { id: "alone", provider: null },
    { id: "with-spare", provider: "spare" },
  ]);
  expect(findReroutedModels(circuit, [circuit, spare], models)[1]).toEqual({
    id: "with-spare",
    provider: null,
  });
});
