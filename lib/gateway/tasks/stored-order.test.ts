import { expect, test } from "bun:test";
import { readStoredOrder } from "./stored-order";

test("an order that an earlier version stored keeps the fields that its caller added", async () => {
  const row = { family: "image", prompt: "a fox", count: 1, further: { seed: 7 } };
  const inputFiles = { open: async () => null };
  const order = await readStoredOrder({ inputFiles }, { input: JSON.stringify(row), requestId: "req_1" });
  expect(order).toMatchObject({ prompt: "a fox", extraFields: { seed: 7 } });
});
