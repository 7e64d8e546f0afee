import { expect, test } from "bun:test";
import { findReroutedModels } from "./open-routes";

const circuit = { provider: "acme", model: "m" };
const spare = { provider: "spare", model: "m" };

test("calls of an open circuit go to the model's first route whose circuit is closed, or are refused", () => {
  const models = [
    { id: "alone", routes: [circuit] },
    { id: "with-spare", routes: [circuit, spare] },
    { id: "elsewhere", routes: [spare] },
    { id: "off", routes: [circuit, { ...spare, weight: 0 }, { ...spare, ends_at: 1 }] },
    { id: "not-asked", routes: [{ ...circuit, weight: 0 }, spare] },
    { id: "other-model", routes: [{ provider: "acme", model: "other" }] },
  ];
  expect(findReroutedModels(circuit, [circuit], models)).toEqual([
    { id: "alone", provider: null },
    { id: "with-spare", provider: "spare" },
    { id: "off", provider: null },
  ]);
  expect(findReroutedModels(circuit, [circuit, spare], models)[1]).toEqual({
    id: "with-spare",
    provider: null,
  });
});
