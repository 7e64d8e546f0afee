import { expect, test } from "bun:test";
import type { OutputLimitField } from "@/lib/contract/operations/models/providers";
import { parseJsonObject } from "../../http/parse-json";
import { buildUpstreamBody } from "./build-upstream-body";
import { parseChatRequest } from "./chat-request";

const parseRequest = (text: string) =>
  parseChatRequest(parseJsonObject(Buffer.from(text), { entries: 1_000 }));
const messages = '"messages":[{"role":"user","content":"Hi"}]';
const upstream = (text: string, more: { maxTokens?: number; outputLimitField?: OutputLimitField } = {}) =>
  buildUpstreamBody(parseRequest(text), {
    protocol: "chat" as const,
    baseUrl: "",
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
