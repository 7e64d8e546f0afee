import { expect, test } from "bun:test";
import { toModelChange } from "./model-form-schema";

const saved = { rate: "0.20", input_per_1m: "1.00", output_per_1m: "2.00" };

test("a changed rate is sent without prices, a changed price with the other price", () => {
  expect(toModelChange({ rate: "0.5" }, saved)).toEqual({ rate: "0.5" });
  expect(toModelChange({ output_per_1m: "3" }, saved)).toEqual({
    price: { input_per_1m: "1.00", output_per_1m: "3" },
  });
});
