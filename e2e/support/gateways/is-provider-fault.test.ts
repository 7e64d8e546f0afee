import { expect, test } from "bun:test";
import { isProviderFault } from "./is-provider-fault";

test("words about a call or a task are a provider's, and words about a part of the gateway its own", () => {
  expect(isProviderFault("local: it gave no reason", "req_1")).toBe(true);
  expect(isProviderFault("local refuses the gateway: 401", "task_1")).toBe(true);
  for (const where of ["proof of the books", "funds", "reply reader", "bodies of calls"]) {
    expect(isProviderFault("It broke.", where)).toBe(false);
  }
});

test("an error is a provider's by its kind or its first words, wherever it is logged", () => {
  expect(isProviderFault(new Error("The provider broke off."), "tasks")).toBe(true);
  expect(isProviderFault(new TypeError("x is undefined"), "req_1")).toBe(false);
});
