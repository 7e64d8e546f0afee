import { expect, test } from "bun:test";
import { modelForm, toModelChange } from "./model-form-schema";

const saved = { rate: "0.20", input_per_1m: "1.00", output_per_1m: "2.00" };

test("a changed rate is sent without prices, a changed price with the other price", () => {
  expect(toModelChange({ rate: "0.5" }, saved)).toEqual({ rate: "0.5" });
  expect(toModelChange({ output_per_1m: "3" }, saved)).toEqual({
    price: { input_per_1m: "1.00", output_per_1m: "3" },
  });
});

test("an emptied batch rate is sent as none", () => {
  expect(toModelChange({ batch_rate: "0.1" }, saved)).toEqual({ batch_rate: "0.1" });
  expect(toModelChange({ batch_rate: "" }, saved)).toEqual({ batch_rate: null });
  const refused = (batch_rate: string) => !modelForm.safeParse({ ...saved, batch_rate }).success;
  expect(["", "0.5", "0", "half"].map(refused)).toEqual([false, false, true, true]);
});
