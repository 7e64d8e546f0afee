import { expect, test } from "bun:test";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { buildWaterfall } from "./waterfall-steps";

const attempt = {
  provider: "p1",
  model: "m1",
  started_ms: 0,
  reached_ms: null,
  sent_ms: 5,
  answered_ms: 40,
  ended_ms: null,
  status: 200,
  failure: null,
  provider_request_id: null,
  left_out: [],
};
const buildReceipt = (
  attempts: RequestReceipt["attempts"],
  request: Partial<RequestReceipt["request"]> = {},
): RequestReceipt =>
  ({
    request: { duration_ms: 100, first_byte_ms: 60, stream: false, ...request },
    attempts,
  }) as RequestReceipt;
const read = (receipt: RequestReceipt) =>
  buildWaterfall(receipt)?.map(({ name, outcome, steps }) => [
    name,
    outcome,
    ...steps.map(({ name: step, from, to }) => `${step} ${from}–${to}`),
  ]);

test("a single successful attempt is derived from the call's own times", () => {
  expect(read(buildReceipt([attempt]))).toEqual([
    [null, null, "Checks and hold 0–5"],
    ["p1 · m1", "answered 200", "Waiting for the first byte 5–40", "Answering 40–100"],
  ]);
});

test("takes the first text of a stream as its first byte", () => {
  const [, only] = read(buildReceipt([attempt], { stream: true })) ?? [];
  expect(only?.slice(2)).toEqual(["Waiting for the first byte 5–60", "Answering 60–100"]);
});

test("failed attempts, one of them never connected, come before the one that answered", () => {
  const failed = { ...attempt, answered_ms: null, status: null, failure: "provider_timeout" };
  const receipt = buildReceipt([
    { ...failed, sent_ms: null, ended_ms: 20 },
    { ...attempt, provider: "p2", started_ms: 20, reached_ms: 25, sent_ms: 25, answered_ms: 80 },
  ]);
  expect(read(receipt)).toEqual([
    ["1. p1 · m1", "never reached, provider timeout, tried again", "Not reached 0–20"],
    [
      "2. p2 · m1",
      "answered 200",
      "Connecting 20–25",
      "Waiting for the first byte 25–80",
      "Answering 80–100",
    ],
  ]);
});

test("shows two times for calls recorded without attempts, and none for calls in progress", () => {
  expect(read(buildReceipt([]))).toEqual([
    [null, null, "Waiting for the first byte 0–60", "Answering 60–100"],
  ]);
  expect(buildWaterfall(buildReceipt([attempt], { duration_ms: null }))).toBeNull();
});
