import { expect, test } from "bun:test";
import type { Message } from "@/components/playground/messages/message";
import { defaultSettings, type Settings } from "@/components/playground/settings";
import { listBodiesForCode } from "./list-bodies-for-code";

const asked: Message = { id: "a", role: "user", text: "Hi" };
const settings: Settings = {
  ...defaultSettings,
  max_tokens: "1,000",
  seed: "7",
  presence_penalty: "1",
  frequency_penalty: "-1",
  reasoning_effort: "low",
  format: "schema",
  schema: '{"type":"object"}',
  further: '{"logprobs":true}',
};

test("the same call for the other endpoint has the parameters of both, and names the others", () => {
  const chat = listBodiesForCode("m", settings, [asked]);
  expect(chat.chatLacks).toEqual([]);
  expect(chat.messageLacks).toEqual(["seed", "presence_penalty", "frequency_penalty", "logprobs"]);
  expect(chat.message).not.toHaveProperty("logprobs");
  const ofMessages: Settings = {
    ...settings,
    endpoint: "messages",
    further: '{"top_k":5}',
    format: "json",
  };
  const message = listBodiesForCode("m", ofMessages, [asked]);
  expect(message.messageLacks).toEqual([]);
  expect(message.chatLacks).toEqual(["top_k"]);
  expect(message.chat).not.toHaveProperty("seed");
  expect(message.chat).not.toHaveProperty("response_format");
  expect(message.message).toMatchObject({ top_k: 5, output_config: { effort: "low" } });
});
