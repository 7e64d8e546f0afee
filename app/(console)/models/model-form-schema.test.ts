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
  const noAudio = { audio_input: "", audio_output: "" };
  const refused = (batch_rate: string) => !modelForm.safeParse({ ...saved, ...noAudio, batch_rate }).success;
  expect(["", "0.5", "0", "half"].map(refused)).toEqual([false, false, true, true]);
});

test("prices of audio are sent together, and removed together", () => {
  const audio = { ...saved, batch_rate: "", audio_input: "40", audio_output: "80" };
  expect(toModelChange({ audio_output: "64" }, audio)).toEqual({
    audio_price: { input_per_1m: "40", output_per_1m: "64" },
  });
  expect(toModelChange({ audio_input: "", audio_output: "" }, audio)).toEqual({ audio_price: null });
  expect(toModelChange({ rate: "1" }, audio)).toEqual({ rate: "1" });
  const faultsOf = (change: object) =>
    modelForm.safeParse({ ...audio, ...change }).error?.issues.map(({ path }) => path.join(".")) ?? [];
  expect(faultsOf({})).toEqual([]);
  expect(faultsOf({ audio_input: "" })).toEqual(["audio_input"]);
  expect(faultsOf({ audio_output: "" })).toEqual(["audio_output"]);
  expect(faultsOf({ audio_output: "much" })).toEqual(["audio_output"]);
});
