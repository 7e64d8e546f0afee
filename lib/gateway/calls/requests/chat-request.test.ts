import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { OutputLimitField } from "@/lib/contract/calls/provider-protocols";
import { chatCompletionRequest, MAX_ENTRIES } from "@/lib/contract/operations/calls/completions";
import { parseJsonObject } from "../../http/json";
import { buildUpstreamBody, isPlainChatRequest, parseChatRequest } from "./chat-request";

const odd = fc.constantFrom<unknown>(
  undefined,
  null,
  "",
  "x",
  0,
  1,
  -1,
  1.5,
  2,
  129,
  Number.POSITIVE_INFINITY,
  true,
  false,
  [],
  {},
  [1],
);
const or = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd });

const message = fc.record(
  {
    role: or(fc.constantFrom("system", "developer", "user", "assistant", "tool", "function", "robot")),
    content: or(fc.string()),
    name: fc.string(),
  },
  { requiredKeys: ["role"] },
);

const request = fc.record(
  {
    model: or(fc.string({ minLength: 1 })),
    messages: or(fc.array(or(message), { minLength: 1, maxLength: 3 })),
    prompt: or(fc.string()),
    stream: or(fc.boolean()),
    stream_options: or(fc.record({ include_usage: or(fc.boolean()) })),
    temperature: or(fc.double({ min: 0, max: 2, noNaN: true })),
    max_tokens: or(fc.nat()),
    max_completion_tokens: or(fc.nat()),
    n: or(fc.integer({ min: 0, max: 130 })),
    further: fc.jsonValue(),
  },
  { requiredKeys: ["model", "messages"] },
);

test("accepts only requests that pass the contract's schema, and most of those", () => {
  let passed = 0;
  const runs = 5_000;
  fc.assert(
    fc.property(request, (value) => {
      if (!isPlainChatRequest(value)) return;
      passed++;
      expect(chatCompletionRequest.safeParse(value).success).toBe(true);
    }),
    { numRuns: runs },
  );
  expect(passed).toBeGreaterThan(runs / 20);
});

test("rejects a model name or a number of messages beyond the schema", () => {
  const messages = Array.from({ length: MAX_ENTRIES + 1 }, () => ({ role: "user", content: "x" }));
  expect(isPlainChatRequest({ model: "x", messages })).toBe(false);
  expect(isPlainChatRequest({ model: "x", messages: messages.slice(1) })).toBe(true);
  expect(isPlainChatRequest({ model: "x".repeat(201), messages: messages.slice(1) })).toBe(false);
});

const parseRequest = (text: string) =>
  parseChatRequest(parseJsonObject(Buffer.from(text), { entries: 1_000 }));
const messages = '"messages":[{"role":"user","content":"Hi"}]';
const upstream = (text: string, more: { maxTokens?: number; outputLimitField?: OutputLimitField } = {}) =>
  buildUpstreamBody(parseRequest(text), {
    protocol: "chat" as const,
    baseUrl: "",
    account: "",
    model: "m",
    maxTokens: 7,
    outputLimitField: "max_tokens",
    leftOut: [],
    ...more,
  });

test("an edit without changes changes no byte", () => {
  const text = `{ "model":"m",${messages}, "x":1e400, "max_tokens": 7 }`;
  expect(upstream(text)).toBe(text);
});

test.each([
  "",
  ',"max_tokens":null',
  ',"max_tokens":50',
  ',"max_completion_tokens":50',
  ',"max_completion_tokens":50,"max_tokens":50',
  ',"max_c\\u006fmpletion_tokens":50',
])("a provider gets the held output limit in the one field that it knows: %s", (asked) => {
  for (const field of ["max_tokens", "max_completion_tokens"] as const) {
    const body = upstream(`{"model":"m",${messages}${asked}}`, { outputLimitField: field });
    const { model: _, messages: __, ...rest } = JSON.parse(body);
    expect(rest).toEqual({ [field]: 7 });
    expect(body.match(/:7/g)).toHaveLength(1);
  }
});

test("a stream asks for its usage in addition to the caller's stream options", () => {
  const asked = `{"model":"m",${messages},"stream":true,"stream_options":{"x":1,"include_usage":false}}`;
  expect(JSON.parse(upstream(asked)).stream_options).toEqual({ x: 1, include_usage: true });
  expect(JSON.parse(upstream(`{"model":"m",${messages},"stream":true}`)).stream_options).toEqual({
    include_usage: true,
  });
});
