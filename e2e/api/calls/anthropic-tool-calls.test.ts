import { expect, test } from "bun:test";
import type { Anthropic } from "@anthropic-ai/sdk";
import { createAnthropicClient, echoMessage } from "../../support/clients/anthropic-client";
import { serveScriptedForEach } from "../../support/gateways/serve-scripted";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

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
async function readStream(deltas: readonly string[], reason = "tool_calls") {
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
  expect(await readStream(deltas)).toMatchObject({ content: [weather, news], stop_reason: "tool_use" });
});

test("text and thinking between the pieces of a tool call follow it", async () => {
  const { content } = await readStream([
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
  const { content } = await readStream([
    begin("now", { index: 0 }),
    begin("weather", { index: 1 }),
    write('{"city":"Rome"}', { index: 1 }),
  ]);
  expect(content).toMatchObject([{ id: "call_now", name: "now", input: {} }, weather]);
});

const weatherTool = {
  name: "weather",
  description: "Tells the weather",
  input_schema: { type: "object" as const, properties: { city: { type: "string" } } },
};

/** The provider calls the tool once and ends with this reason, then answers with the result it was given. */
function answerByTool(reason: string | null) {
  const called = { id: "call_weather", type: "function", function: { name: "weather", arguments: "{}" } };
  provider.answerWith(({ body }) => {
    const { stream: isStream, messages } = JSON.parse(body);
    const result = messages.find(({ role }: { role: string }) => role === "tool")?.content;
    const message = result ? { content: result } : { content: null, tool_calls: [called] };
    const end = result ? "stop" : reason;
    if (!isStream)
      return Response.json({ model: "x", choices: [{ index: 0, message, finish_reason: end }], usage });
    const deltas = [chunkEvent(message), ...(end ? [finish(end)] : [])];
    return streamChunks([...deltas, usageEvent(usage), DONE]);
  });
}

test.each(["tool_calls", "stop", "function_call", null])(
  "a tool call with the reason %p is run by the SDK, whole and streamed",
  async (reason) => {
    answerByTool(reason);
    for (const stream of [false, true]) {
      const runner = client.beta.messages.toolRunner({
        ...request,
        tools: [{ ...weatherTool, run: () => "Sunny", parse: (input: unknown) => input }],
        stream,
      });
      expect((await runner.runUntilDone()).content).toMatchObject([{ type: "text", text: "Sunny" }]);
    }
  },
);

test("a tool call that the caller demanded stops with tool_use; one that was cut off doesn't", async () => {
  const demand = {
    ...request,
    tools: [weatherTool],
    tool_choice: { type: "tool" as const, name: "weather" },
  };
  answerByTool("stop");
  expect((await client.messages.create(demand)).stop_reason).toBe("tool_use");
  answerByTool("length");
  expect((await client.messages.create(demand)).stop_reason).toBe("max_tokens");
  expect((await client.messages.stream(demand).finalMessage()).stop_reason).toBe("max_tokens");
});

test("a conversation, a tool and settings of Anthropic's own API are accepted as they are", async () => {
  provider.answerWith(() =>
    Response.json({ model: "x", choices: [{ message: { content: "42", reasoning: "Hm" } }], usage }),
  );
  const { content } = await client.messages.create({
    ...request,
    messages: [
      { role: "assistant", content: [{ ...weather, type: "tool_use", caller: { type: "direct" } }] },
    ],
    tools: [
      {
        ...weatherTool,
        input_examples: [{ city: "Rome" }],
        eager_input_streaming: true,
        defer_loading: false,
        allowed_callers: ["direct"],
      },
    ],
    thinking: { type: "adaptive", display: "omitted" },
    output_config: { effort: "max" },
    speed: null,
    container: null,
    inference_geo: null,
  });
  expect(content).toMatchObject([
    { type: "thinking", thinking: "" },
    { type: "text", text: "42" },
  ]);
  const { tools, reasoning_effort } = JSON.parse(provider.visits[0]?.body ?? "");
  expect([tools[0].function.description, reasoning_effort]).toEqual([
    'Tells the weather\nExample input: {"city":"Rome"}',
    "high",
  ]);
});

test("pictures and files in tool results follow their text, in a role that may carry them", async () => {
  provider.answerWith(() =>
    Response.json({ model: "x", choices: [{ message: { content: "A cat" } }], usage }),
  );
  const data = "iVBORw";
  await client.messages.create({
    model: "fake",
    max_tokens: 50,
    messages: [
      {
        role: "assistant",
        content: ["t1", "t2", "t3"].map((id) => ({ type: "tool_use", id, name: "look", input: {} })),
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t1",
            content: [
              { type: "text", text: "Taken" },
              { type: "image", source: { type: "base64", media_type: "image/png", data } },
            ],
          },
          { type: "tool_result", tool_use_id: "t2", content: [] },
          {
            type: "tool_result",
            tool_use_id: "t3",
            content: [
              {
                type: "document",
                title: "a.pdf",
                source: { type: "base64", media_type: "application/pdf", data },
              },
            ],
          },
          { type: "text", text: "What is it?" },
        ],
      },
    ],
  });
  const see = "See the attachments in the next message.";
  expect(JSON.parse(provider.visits[0]?.body ?? "").messages.slice(1)).toEqual([
    { role: "tool", tool_call_id: "t1", content: `Taken\n${see}` },
    { role: "tool", tool_call_id: "t2", content: "" },
    { role: "tool", tool_call_id: "t3", content: see },
    {
      role: "user",
      content: [
        { type: "text", text: "Attachments of the tool result t1:" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
        { type: "text", text: "Attachments of the tool result t3:" },
        { type: "text", text: "Title: a.pdf" },
        { type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${data}` } },
        { type: "text", text: "What is it?" },
      ],
    },
  ]);
});
