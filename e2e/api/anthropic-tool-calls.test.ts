import { expect, test } from "bun:test";
import type { Anthropic } from "@anthropic-ai/sdk";
import { createAnthropicClient, echoMessage } from "../support/anthropic-client";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  streamChunks,
  usageEvent,
} from "../support/scripted-provider";
import { serveScriptedForEach } from "../support/serve-scripted";

let provider: ScriptedProvider;
let client: Anthropic;

serveScriptedForEach((served) => {
  provider = served.provider;
  client = createAnthropicClient(served.gateway);
});

const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };
const request = { ...echoMessage("Weather and news?"), model: "fake" };

const finish = (reason: string) =>
  chunkEvent({}).replace('"finish_reason":null', `"finish_reason":"${reason}"`);
const call = (piece: object) => chunkEvent({ tool_calls: [piece] });
const begin = (name: string, more: object = {}, written = "") =>
  call({ id: `call_${name}`, type: "function", function: { name, arguments: written }, ...more });
const write = (written: string, more: object = {}) => call({ function: { arguments: written }, ...more });

/** The streamed message as the SDK reads it. */
async function stream(deltas: readonly string[], reason = "tool_calls") {
  provider.answerWith(() => streamChunks([...deltas, finish(reason), usageEvent(usage), DONE]));
  return client.messages.stream(request).finalMessage();
}

const weather = { type: "tool_use", id: "call_weather", name: "weather", input: { city: "Rome" } };
const news = { type: "tool_use", id: "call_news", name: "news", input: { about: "sport" } };

test.each<[string, string[]]>([
  [
    "announced first and written in turn",
    [
      begin("weather", { index: 0 }),
      begin("news", { index: 1 }),
      write('{"city":', { index: 0 }),
      write('{"about":', { index: 1 }),
      write('"Rome"}', { index: 0 }),
      write('"sport"}', { index: 1 }),
    ],
  ],
  [
    "one after another",
    [
      begin("weather", { index: 0 }),
      write('{"city":"Rome"}', { index: 0 }),
      begin("news", { index: 1 }),
      write('{"about":"sport"}', { index: 1 }),
    ],
  ],
  [
    "without an index",
    [begin("weather"), write('{"city":"Rome"}'), begin("news"), write('{"about":'), write('"sport"}')],
  ],
  [
    "whole, all with the same index",
    [begin("weather", { index: 0 }, '{"city":"Rome"}'), begin("news", { index: 0 }, '{"about":"sport"}')],
  ],
])("parallel tool calls %s are two blocks of a stream", async (_, deltas) => {
  expect(await stream(deltas)).toMatchObject({ content: [weather, news], stop_reason: "tool_use" });
});

test("text and thinking between the pieces of a tool call follow it", async () => {
  const { content } = await stream([
    chunkEvent({ content: "Let me see. " }),
    begin("weather", { index: 0 }),
    write('{"city":', { index: 0 }),
    chunkEvent({ content: "Looking" }),
    write('"Rome"}', { index: 0 }),
    chunkEvent({ content: " it up." }),
  ]);
  expect(content).toMatchObject([
    { type: "text", text: "Let me see. " },
    weather,
    { type: "text", text: "Looking it up." },
  ]);
});

test("a tool call without an input keeps its place beside another", async () => {
  const { content } = await stream([
    begin("now", { index: 0 }),
    begin("weather", { index: 1 }),
    write('{"city":"Rome"}', { index: 1 }),
  ]);
  expect(content).toMatchObject([{ id: "call_now", name: "now", input: {} }, weather]);
});
