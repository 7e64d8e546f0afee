import { expect, test } from "bun:test";
import { parseJsonObject } from "../http/parse-json";
import { parseChatRequest } from "./chat-request";
import { estimatePromptTokens } from "./estimate-prompt-tokens";
import { upstreamBody } from "./upstream-body";

const requestOf = (text: string) => parseChatRequest(parseJsonObject(Buffer.from(text)));
const messages = '"messages":[{"role":"user","content":"Hi"}]';
const upstream = (text: string, maxTokens: number | null = null) =>
  upstreamBody(requestOf(text), { model: "m", maxTokens });

test("nothing to change changes no byte", () => {
  const text = `{ "model":"m",${messages}, "x":1e400 }`;
  expect(upstream(text)).toBe(text);
});

test.each([
  [`{"model":"m",${messages}}`, { max_tokens: 7 }],
  [`{"model":"m",${messages},"max_tokens":null}`, { max_tokens: 7 }],
  [`{"model":"m",${messages},"max_tokens":50}`, { max_tokens: 7 }],
  [`{"model":"m",${messages},"max_completion_tokens":50}`, { max_completion_tokens: 7 }],
  [
    `{"model":"m",${messages},"max_completion_tokens":50,"max_tokens":60}`,
    { max_completion_tokens: 7, max_tokens: 7 },
  ],
])("the balance's say on the output replaces whatever the caller allowed: %s", (text, expected) => {
  const { model: _, messages: __, ...rest } = JSON.parse(upstream(text, 7));
  expect(rest).toEqual(expected);
});

test("a stream asks for its usage, besides what else the caller asks of it", () => {
  const asked = `{"model":"m",${messages},"stream":true,"stream_options":{"x":1,"include_usage":false}}`;
  expect(JSON.parse(upstream(asked)).stream_options).toEqual({ x: 1, include_usage: true });
  expect(JSON.parse(upstream(`{"model":"m",${messages},"stream":true}`)).stream_options).toEqual({
    include_usage: true,
  });
});

test("media is not counted by its bytes of base64", () => {
  const image = `data:image/png;base64,${"A".repeat(300_000)}`;
  const content = [
    { type: "text", text: "What is this?" },
    { type: "image_url", image_url: { url: image } },
  ];
  const text = JSON.stringify({ model: "m", messages: [{ role: "user", content }] });
  const tokens = estimatePromptTokens(requestOf(text), false);
  expect(tokens).toBeGreaterThan(1_600);
  expect(tokens).toBeLessThan(1_700);
});
