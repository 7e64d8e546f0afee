import { expect, test } from "bun:test";
import { describeTyped } from "./describe-typed";

test("what was typed is told by label, without empty fields and fields that have no label", () => {
  const values = {
    role_name: "Night auditors",
    description: "",
    permissions: ["api.ledger.read", "api.usage.read"],
    price: { input: "0.25", tiers: [{ from: 1 }] },
    secret: "sk-never",
    max: null,
  };
  const labels = {
    permissions: "Permissions",
    role_name: "Name",
    description: "Description",
    "price.input": "Input",
    "price.tiers": "Tiers",
    "price.missing.deep": "Missing",
    max: "Most",
  };
  expect(describeTyped(values, labels)).toBe(
    [
      "Permissions: api.ledger.read, api.usage.read",
      "Name: Night auditors",
      "Input: 0.25",
      'Tiers: [{"from":1}]',
    ].join("\n"),
  );
});
