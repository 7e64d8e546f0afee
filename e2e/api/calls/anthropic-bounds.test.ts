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
const request = { ...echoMessage("Hi"), model: "fake" };

/** The body that the provider gets of a request. */
async function send(change: object) {
  provider.answerWith(() => Response.json({ model: "x", choices: [{ message: { content: "42" } }], usage }));
  const sent = client.beta.messages.create({ ...request, ...change } as never);
  const { response } = await sent.withResponse();
  const leftOut = response.headers.get("x-gatehouse-left-out");
  return { ...JSON.parse(provider.visits.at(-1)?.body ?? ""), leftOut };
}

test("a user's id of any length becomes one that receivers accept, and the same each time", async () => {
  const long = `user_${"a".repeat(64)}_account__session_${"b".repeat(36)}`;
  const { user } = await send({ metadata: { user_id: long } });
  expect(user).toMatch(/^[0-9a-f]{64}$/);
  expect((await send({ metadata: { user_id: long } })).user).toBe(user);
  expect((await send({ metadata: { user_id: `${long}c` } })).user).not.toBe(user);
  expect((await send({ metadata: { user_id: "u1" } })).user).toBe("u1");
});

test("no more stops are sent than receivers take, and no setting that they don't have", async () => {
  const { stop, top_k, tool_choice, parallel_tool_calls, leftOut } = await send({
    stop_sequences: ["a", "", "b", "c", "d", "e"],
    top_k: 5,
    tool_choice: { type: "auto", disable_parallel_tool_use: true },
  });
  expect({ stop, top_k, tool_choice, parallel_tool_calls }).toEqual({ stop: ["a", "b", "c", "d"] } as never);
  expect(leftOut).toContain("top_k");
  expect(leftOut).toContain("stop_sequences.4");
});

const closed = { type: "object", properties: {}, required: [], additionalProperties: false };

test("strict is asked for where a schema keeps its rules", async () => {
  const city = { type: "string" };
  const tools = [
    { name: "fit", input_schema: closed, strict: true },
    { name: "open", input_schema: { type: "object", properties: { city } }, strict: true },
    { name: "optional", input_schema: { ...closed, properties: { city } }, strict: true },
    {
      name: "nested",
      input_schema: { ...closed, properties: { city: { type: "object" } }, required: ["city"] },
      strict: true,
    },
    {
      name: "keyword",
      input_schema: { ...closed, properties: { city: { ...city, minLength: 1 } }, required: ["city"] },
      strict: true,
    },
  ];
  const body = await send({ tools });
  const asked = body.tools.map(({ function: { name, strict } }: never) => [name, strict]);
  expect(asked).toEqual(
    [["fit", true], ["open"], ["optional"], ["nested"], ["keyword"]].map(([n, s]) => [n, s]),
  );
  expect(body.leftOut).toBe("tools.strict");
  const format = (schema: object) => ({ output_config: { format: { type: "json_schema", schema } } });
  expect((await send(format(closed))).response_format.json_schema.strict).toBe(true);
  expect((await send(format({ type: "object" }))).response_format.json_schema.strict).toBe(false);
});

test("a tool's schema is an object with properties, without alternatives at its top", async () => {
  const { tools } = await send({
    tools: [
      { name: "bare", input_schema: { type: "object" } },
      {
        name: "either",
        input_schema: { type: "object", properties: { a: {} }, anyOf: [{ required: ["a"] }] },
      },
    ],
  });
  expect(tools.map(({ function: { parameters } }: never) => parameters)).toEqual([
    { type: "object", properties: {} },
    { type: "object", properties: { a: {} } },
  ]);
});

const longName = `mcp__${"server_of_many_words_".repeat(4)}__find.page`;
const renamed = /^mcp__[a-zA-Z0-9_-]{1,59}$/;

test("a tool's name that receivers refuse is another one there, and the caller's own in replies and streams", async () => {
  const call = (name: string) => ({ id: "c1", type: "function", function: { name, arguments: "{}" } });
  provider.answerWith(({ body }) => {
    const { tools, stream } = JSON.parse(body);
    const { name } = tools[0].function;
    return stream
      ? streamChunks([chunkEvent({ tool_calls: [{ index: 0, ...call(name) }] }), usageEvent(usage), DONE])
      : Response.json({
          model: "x",
          choices: [{ message: { content: null, tool_calls: [call(name)] } }],
          usage,
        });
  });
  const input_schema = { type: "object" as const, properties: {} };
  const asking = {
    ...request,
    tools: [{ name: longName, input_schema }],
    tool_choice: { type: "tool" as const, name: longName },
    messages: [
      { role: "user" as const, content: "Hi" },
      {
        role: "assistant" as const,
        content: [{ type: "tool_use" as const, id: "c0", name: longName, input: {} }],
      },
      { role: "user" as const, content: [{ type: "tool_result" as const, tool_use_id: "c0", content: "x" }] },
    ],
  };
  const use = [{ type: "tool_use", id: "c1", name: longName }];
  expect((await client.messages.create(asking)).content).toMatchObject(use);
  expect((await client.messages.stream(asking).finalMessage()).content).toMatchObject(use);
  const { tools, tool_choice, messages } = JSON.parse(provider.visits[0]?.body ?? "");
  const { name } = tools[0].function;
  expect(name).toMatch(renamed);
  expect([tool_choice.function.name, messages[1].tool_calls[0].function.name]).toEqual([name, name]);
});

test("ids of calls are short enough, and each call has its own result behind it", async () => {
  const id = `chatcmpl-tool-${"0".repeat(40)}`;
  const { messages } = await send({
    messages: [
      { role: "user", content: [{ type: "tool_result", tool_use_id: "gone", content: "Cut off" }] },
      {
        role: "user",
        content: [
          { type: "text", text: "" },
          { type: "text", text: "Hi" },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "Let me see" }] },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id, name: "find", input: {} },
          { type: "tool_use", id: "t2", name: "find", input: {} },
          { type: "tool_use", id: "t3", name: "find", input: {} },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t2", content: "Two" }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: [{ type: "text", text: "" }] }],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "t2", name: "find", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t2", content: "Again" }] },
    ],
  });
  const bound = messages[1].tool_calls[0].id;
  expect(bound.length).toBeLessThanOrEqual(40);
  expect(messages).toMatchObject([
    { role: "user", content: "The result of an earlier tool call:\nCut off\n\nHi" },
    { role: "assistant", content: "Let me see", tool_calls: [{ id: bound }, { id: "t2" }, { id: "t3" }] },
    { role: "tool", tool_call_id: bound, content: "" },
    { role: "tool", tool_call_id: "t2", content: "Two" },
    { role: "tool", tool_call_id: "t3", content: "The tool gave no result." },
    { role: "assistant", content: null, tool_calls: [{ id: "t2" }] },
    { role: "tool", tool_call_id: "t2", content: "Again" },
  ]);
});

test("an effort is one that receivers know", async () => {
  const effortOf = async (effort: string) => (await send({ output_config: { effort } })).reasoning_effort;
  expect([await effortOf("medium"), await effortOf("xhigh"), await effortOf("max")]).toEqual([
    "medium",
    "high",
    "high",
  ]);
  expect(await effortOf("of_next_month")).toBeUndefined();
});
