import { expect, test } from "bun:test";
import type { Message } from "@/components/playground/messages/message";
import { defaultSettings, type Settings } from "@/components/playground/settings";
import { listBodiesForCode } from "./code-dialog";

const asked: Message = { id: "a", role: "user", text: "Hi" };
const settings: Settings = {
  ...defaultSettings,
  max_tokens: "1,000",
  seed: "7",
  presence_penalty: "1",
  frequency_penalty: "-1",
  reasoning_effort: "low",
  stop: "END",
  format: "schema",
  schema: '{"type":"object"}',
  further: '{"logprobs":true}',
};

test("the same call for another endpoint has the parameters of both, and names the others", () => {
  const { chat_completions: chat, messages, responses } = listBodiesForCode("m", settings, [asked]);
  expect(chat.lacks).toEqual([]);
  const chatOnly = ["seed", "presence_penalty", "frequency_penalty"];
  expect(messages.lacks).toEqual([...chatOnly, "logprobs"]);
  expect(messages.body).not.toHaveProperty("logprobs");
  expect(responses.lacks).toEqual([...chatOnly, "stop", "logprobs"]);
  expect(responses.body).toMatchObject({ max_output_tokens: 1000, reasoning: { effort: "low" } });
  expect(responses.body).not.toHaveProperty("logprobs");
});

test("a message's call is not given what it doesn't send, though it is typed", () => {
  const ofMessages: Settings = {
    ...settings,
    endpoint: "messages",
    further: '{"top_k":5}',
    format: "json",
  };
  const { chat_completions: chat, messages } = listBodiesForCode("m", ofMessages, [asked]);
  expect(messages.lacks).toEqual([]);
  expect(chat.lacks).toEqual(["top_k"]);
  expect(chat.body).not.toHaveProperty("seed");
  expect(chat.body).not.toHaveProperty("response_format");
  expect(messages.body).toMatchObject({ top_k: 5, output_config: { effort: "low" } });
});

test("a response's call keeps its summary and its further parameters to itself", () => {
  const ofResponses: Settings = {
    ...settings,
    endpoint: "responses",
    reasoning_summary: "auto",
    further: '{"truncation":"auto"}',
  };
  const { chat_completions: chat, responses } = listBodiesForCode("m", ofResponses, [asked]);
  expect(responses.lacks).toEqual([]);
  expect(responses.body).toMatchObject({ truncation: "auto", reasoning: { summary: "auto" } });
  expect(chat.lacks).toEqual(["reasoning.summary", "truncation"]);
  expect(chat.body).toEqual({
    model: "m",
    messages: [{ role: "user", content: "Hi" }],
    max_tokens: 1000,
    reasoning_effort: "low",
    response_format: expect.any(Object),
  });
});
