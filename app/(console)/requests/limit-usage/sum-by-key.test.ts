import { expect, test } from "bun:test";
import type { LoggedRequest } from "@/lib/contract/operations/calls/requests";
import { countsIn, sumByKey } from "./limit-users";

const call = (key: string, fields: Partial<LoggedRequest> = {}) =>
  ({
    project_id: "proj_1",
    model: "gpt-5",
    key_id: key,
    key_name: `Key ${key}`,
    outcome: "completed",
    prompt_tokens: 3,
    completion_tokens: 4,
    estimated_tokens: 1_000,
    ...fields,
  }) as LoggedRequest;

const between = { from: 60, to: 121 };

test("a limit of tokens was used by the keys with the most tokens, running calls by their estimates", () => {
  const running = call("b", { prompt_tokens: null, completion_tokens: null, outcome: "in_progress" });
  const bars = sumByKey("max_tokens_per_1_minute", [call("a"), call("a"), running], between);
  expect(bars.map(({ label, text }) => [label, text])).toEqual([
    ["Key b", "1 call · 1,000 tokens"],
    ["Key a", "2 calls · 14 tokens"],
  ]);
  expect(bars[0]?.href).toBe("/requests?project_id=proj_1&model=gpt-5&api_key_id=b&from=60&to=121");
});

test("a limit of requests was used by the keys with the most calls", () => {
  const bars = sumByKey("max_requests_per_1_minute", [call("a"), call("b"), call("a"), call("a")], between);
  expect(bars.map(({ label, text, share }) => [label, text, share])).toEqual([
    ["Key a", "3 calls", 0.75],
    ["Key b", "1 call", 0.25],
  ]);
});

test("a limit of images was used by the keys with the most images made", () => {
  const made = (key: string, units: string) => call(key, { unit: "image", units });
  const bars = sumByKey("max_images_per_1_minute", [made("a", "1"), made("b", "2"), made("b", "1")], between);
  expect(bars.map(({ label, text, share }) => [label, text, share])).toEqual([
    ["Key b", "2 calls · 3 images", 0.75],
    ["Key a", "1 call · 1 image", 0.25],
  ]);
});

test("where the log doesn’t tell what a limit counts, keys are compared by their calls", () => {
  const [sent, made] = [call("a", { unit: null, units: null }), call("b", { unit: "image", units: "9" })];
  for (const field of ["max_images_per_1_minute", "max_audio_megabytes_per_1_minute"] as const) {
    const bars = sumByKey(field, [sent, made, sent, sent], between);
    expect(bars.map(({ label, text, share }) => [label, text, share])).toEqual([
      ["Key a", "3 calls", 0.75],
      ["Key b", "1 call", 0.25],
    ]);
  }
});

test("calls that were refused or never sent used nothing", () => {
  const outcomes = [
    "completed",
    "client_gone",
    "provider_failed",
    "in_progress",
    "refused",
    "unsent",
  ] as const;
  expect(outcomes.filter((outcome) => countsIn("max_requests_per_1_minute", call("a", { outcome })))).toEqual(
    ["completed", "client_gone", "provider_failed", "in_progress"],
  );
});

test("a batch’s limit counts the lines of batches alone, in input tokens", () => {
  const field = "batch_1_day_max_input_tokens";
  const calls = [call("a", { batch_id: null }), call("b", { batch_id: "batch_1" })];
  const counted = calls.filter((one) => countsIn(field, one));
  expect(sumByKey(field, counted, between).map(({ text }) => text)).toEqual(["1 call · 3 tokens"]);
});
