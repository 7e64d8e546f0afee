import { expect, test } from "bun:test";
import { listSentPrices, toModelChange } from "./model-form";
import { modelFormSchema, transcriptionFormSchema } from "./model-form-schema";
import { toTypedClasses } from "./prices/typed-classes";

const noClasses = toTypedClasses(null);
const saved = { rate: "0.20", input_per_1m: "1.00", output_per_1m: "2.00", ...noClasses };

test("a changed rate is sent without prices, a changed price with the other price", () => {
  expect(toModelChange({ rate: "0.5" }, saved, "chat")).toEqual({ rate: "0.5" });
  expect(toModelChange({ output_per_1m: "3" }, saved, "chat")).toEqual({
    price: { input_per_1m: "1.00", output_per_1m: "3" },
  });
});

test("an emptied batch rate is sent as none", () => {
  expect(toModelChange({ batch_rate: "0.1" }, saved, "chat")).toEqual({ batch_rate: "0.1" });
  expect(toModelChange({ batch_rate: "" }, saved, "chat")).toEqual({ batch_rate: null });
  const noAudio = { audio_input: "", audio_output: "" };
  const refused = (batch_rate: string) =>
    !modelFormSchema.safeParse({ ...saved, ...noAudio, batch_rate }).success;
  expect(["", "0.5", "0", "half"].map(refused)).toEqual([false, false, true, true]);
});

test("prices of audio are sent together, and removed together", () => {
  const audio = { ...saved, batch_rate: "", audio_input: "40", audio_output: "80" };
  expect(toModelChange({ audio_output: "64" }, audio, "chat")).toEqual({
    audio_price: { input_per_1m: "40", output_per_1m: "64" },
  });
  expect(toModelChange({ audio_input: "", audio_output: "" }, audio, "chat")).toEqual({ audio_price: null });
  expect(toModelChange({ rate: "1" }, audio, "chat")).toEqual({ rate: "1" });
  const listFaults = (change: object) =>
    modelFormSchema.safeParse({ ...audio, ...change }).error?.issues.map(({ path }) => path.join(".")) ?? [];
  expect(listFaults({})).toEqual([]);
  expect(listFaults({ audio_input: "" })).toEqual(["audio_input"]);
  expect(listFaults({ audio_output: "" })).toEqual(["audio_output"]);
  expect(listFaults({ audio_output: "much" })).toEqual(["audio_output"]);
});

test("a transcription model's price of audio has no output to type", () => {
  const values = { ...saved, batch_rate: "", audio_input: "", audio_output: "" };
  expect(transcriptionFormSchema.safeParse({ ...values, audio_input: "6" }).success).toBe(true);
  expect(toModelChange({ audio_input: "6" }, values, "transcription")).toEqual({
    audio_price: { input_per_1m: "6", output_per_1m: "0" },
  });
  const removed = toModelChange({ audio_input: "" }, { ...values, audio_input: "6" }, "transcription");
  expect(removed).toEqual({ audio_price: null });
});

test("a request with all prices has those of its family, and prices of audio only where they are typed", () => {
  const typed = { ...saved, batch_rate: "", audio_input: "", audio_output: "" };
  expect(listSentPrices(typed, "chat")).toEqual(["rate", "batch_rate", "input_per_1m", "output_per_1m"]);
  expect(listSentPrices({ ...typed, audio_input: "8" }, "transcription")).toEqual([
    "rate",
    "input_per_1m",
    "output_per_1m",
    "audio_input",
  ]);
  expect(listSentPrices(typed, "moderation")).toEqual(["rate", "input_per_1m"]);
});

test("prices of classes are sent with the price, which is sent whole, and removed by leaving them out", () => {
  const classes = {
    ...saved,
    cached_input: "0.10",
    long_from: "200000.00",
    long_input: "2.00",
    priority_rate: "0.40",
  };
  const sent = {
    input_per_1m: "1.00",
    output_per_1m: "2.00",
    cached_input_per_1m: "0.10",
    long_context_from: 200_000,
    long_context: { input_per_1m: "2.00" },
    priority_rate: "0.40",
  };
  expect(toModelChange({ input_per_1m: "1.00" }, classes, "chat")).toEqual({ price: sent });
  const { cached_input_per_1m: _, ...others } = sent;
  expect(toModelChange({ cached_input: "" }, classes, "chat")).toEqual({ price: others });
  const tools = { web_search: "0.01" };
  expect(toModelChange({ cached_input: "" }, saved, "chat", tools).price).toMatchObject({ tools });
});

test("long prompts have a length and a price, or neither", () => {
  const values = { ...saved, batch_rate: "", audio_input: "", audio_output: "" };
  const listFaults = (change: object) =>
    modelFormSchema.safeParse({ ...values, ...change }).error?.issues.map(({ path }) => path.join(".")) ?? [];
  expect(listFaults({ long_from: "200000" })).toEqual(["long_input"]);
  expect(listFaults({ long_output: "3" })).toEqual(["long_from"]);
  expect(listFaults({ long_from: "1.5", long_input: "3" })).toEqual(["long_from"]);
  expect(listFaults({ long_from: "200000", long_input: "3", cached_input: "-1" })).toEqual(["cached_input"]);
  expect(listFaults({ priority_rate: "0" })).toEqual(["priority_rate"]);
});
