import { describe, expect, test } from "bun:test";
import type { Anthropic, APIError } from "@anthropic-ai/sdk";
import { createAnthropicClient, echoMessage } from "../../support/clients/anthropic-client";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForEach } from "../../support/gateways/serve-scripted";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;
let client: Anthropic;

serveScriptedForEach((served) => {
  ({ provider, gateway } = served);
  client = createAnthropicClient(gateway);
});

const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };

describe("what can't be said in a chat completion", () => {
  const send = async (change: object, path = "/messages") => {
    const reply = await fetch(`${gateway.baseUrl}${path}`, {
      method: "POST",
      headers: { "x-api-key": gateway.key, "anthropic-version": "2023-06-01" },
      body: JSON.stringify({ ...echoMessage("Hi"), model: "fake", ...change }),
    });
    const { error } = (await reply.json()) as { error?: { param: string } };
    return { status: reply.status, param: error?.param, headers: reply.headers };
  };
  const saying = (block: object) => ({ messages: [{ role: "user", content: [block] }] });

  test.each([
    [{ mcp_servers: [{ type: "url", name: "m", url: "https://example.com" }] }, "mcp_servers"],
    [{ container: "c" }, "container"],
    [{ speed: "fast" }, "speed"],
    [{ service_tier: "priority" }, "service_tier"],
    [{ inference_geo: "eu" }, "inference_geo"],
    [{ thinking: { type: "enabled", budget_tokens: 100 } }, "thinking.budget_tokens"],
    [{ output_config: { format: { type: "grammar" } } }, "output_config.format.type"],
    [{ tools: [{ type: "web_search_20250305", name: "web_search" }] }, "tools.0.type"],
    [
      saying({ type: "document", source: { type: "url", url: "https://example.com/a.pdf" } }),
      "messages.0.content.0.source.type",
    ],
    [{ tools: [{ type: "bash_20250124", name: "bash" }] }, "tools.0.type"],
    [saying({ type: "film", source: { url: "https://example.com" } }), "messages.0.content.0.type"],
    [{ messages: [{ role: "tool", content: "Sunny" }] }, "messages.0.role"],
  ])("%j is refused by its name", async (change, param) => {
    const refused = await send(change);
    expect([refused.status, refused.param]).toEqual([400, param]);
    expect(refused.headers.get("request-id")).toBe(refused.headers.get("x-request-id"));
    expect(provider.visits).toEqual([]);
  });

  test("translates a format, an effort, documents and a failed tool", async () => {
    provider.answerWith(() =>
      Response.json({ model: "x", choices: [{ message: { content: "{}" } }], usage }),
    );
    const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
    const pdf = { type: "base64", media_type: "application/pdf", data: "JVBERi0" };
    const plain = { type: "text", media_type: "text/plain", data: "Once upon a time" };
    await send({
      max_tokens: 900,
      thinking: { type: "enabled", budget_tokens: 800 },
      output_config: { format: { type: "json_schema", schema } },
      messages: [
        {
          role: "user",
          content: [
            { type: "document", source: pdf, title: "a.pdf", cache_control: { type: "ephemeral" } },
            { type: "document", source: plain, title: "A tale", context: "Old" },
            { type: "document", source: { type: "file", file_id: "file_1" } },
          ],
        },
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "weather", input: {} }] },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "t1", content: "No network", is_error: true }],
        },
      ],
    });
    const { messages, response_format, reasoning_effort } = JSON.parse(provider.visits[0]?.body ?? "");
    expect({ response_format, reasoning_effort }).toEqual({
      response_format: { type: "json_schema", json_schema: { name: "output", schema, strict: true } },
      reasoning_effort: "low",
    });
    expect(messages[0].content).toEqual([
      { type: "text", text: "Title: a.pdf" },
      {
        type: "file",
        file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0" },
      },
      { type: "text", text: "Title: A tale\nContext: Old" },
      { type: "text", text: "Once upon a time" },
      { type: "file", file: { file_id: "file_1" } },
    ]);
    expect(messages[2]).toEqual({
      role: "tool",
      tool_call_id: "t1",
      content: "The tool failed.\nNo network",
    });
  });
});

describe("for Anthropic's clients", () => {
  test("an error is found by the id the SDK reads", async () => {
    const error = await client.messages
      .create({ ...echoMessage("Hi"), model: "gpt-0" })
      .catch((reason) => reason);
    expect((error as APIError).requestID).toStartWith("req_");
  });

  test("a stream begins with the prompt's tokens and ends with those that were charged", async () => {
    provider.answerWith(() => streamChunks([chunkEvent({ content: "Hi" }), usageEvent(usage), DONE]));
    const events = client.messages.stream({ ...echoMessage("Hello there"), model: "fake" });
    const started = Promise.withResolvers<number>();
    events.on("streamEvent", (event) => {
      if (event.type === "message_start") started.resolve(event.message.usage.input_tokens);
    });
    const { input_tokens } = await client.messages.countTokens({
      model: "fake",
      messages: echoMessage("Hello there").messages,
    });
    // The call's body has more fields than the request for the count: `max_tokens` and `stream`.
    expect(input_tokens).toBeGreaterThan(11);
    expect(await started.promise).toBeGreaterThan(input_tokens);
    expect((await events.finalMessage()).usage).toMatchObject({ input_tokens: 11, output_tokens: 3 });
    const sandbox = client.messages.stream(echoMessage("one two three"));
    const begun: number[] = [];
    sandbox.on("streamEvent", (event) => {
      if (event.type === "message_start") begun.push(event.message.usage.input_tokens);
    });
    await sandbox.finalMessage();
    expect(begun).toEqual([3]);
  });

  test.each(["reasoning_content", "reasoning"])(
    "a model's thinking under %s is returned to callers who ask for it, whole and streamed",
    async (name) => {
      const thinking = { [name]: "Let me see" };
      const choice = { index: 0, message: { content: "42", ...thinking }, finish_reason: "stop" };
      provider.answerWith(({ body }) =>
        JSON.parse(body).stream
          ? streamChunks([chunkEvent(thinking), chunkEvent({ content: "42" }), usageEvent(usage), DONE])
          : Response.json({ model: "fake", choices: [choice], usage }),
      );
      const request = { ...echoMessage("Why?"), model: "fake" };
      const thought = { type: "thinking", thinking: "Let me see" };
      const asking = { ...request, thinking: { type: "adaptive" as const } };
      expect((await client.messages.create(asking)).content).toMatchObject([thought, { text: "42" }]);
      expect((await client.messages.stream(asking).finalMessage()).content).toMatchObject([
        thought,
        { text: "42" },
      ]);
      expect((await client.messages.create(request)).content).toEqual([
        { type: "text", text: "42" },
      ] as never);
    },
  );

  test("tokens are counted, for nothing", async () => {
    const { messages } = echoMessage("one two three");
    const system = "Be brief";
    expect(await client.messages.countTokens({ model: "sandbox-echo", messages })).toEqual({
      input_tokens: 3,
    });
    expect(await client.messages.countTokens({ model: "sandbox-echo", messages, system })).toEqual({
      input_tokens: 5,
    });
    const unknown = await client.messages.countTokens({ model: "gpt-0", messages }).catch((reason) => reason);
    expect(unknown).toMatchObject({ status: 404 });
    expect(await gateway.admin("GET", "/organization/balance")).toMatchObject({ available: "10.00" });
  });

  test("models are listed page by page, and found one by one", async () => {
    const all: string[] = [];
    for await (const { id, type, display_name } of client.models.list({ limit: 3 })) {
      expect([type, display_name]).toEqual(["model", id]);
      all.push(id);
    }
    const { data } = await gateway.admin<{ data: { id: string }[] }>("GET", "/models");
    expect(all).toEqual(data.map(({ id }) => id));
    expect(all.length).toBeGreaterThan(6);
    const before = await client.models.list({ limit: 2, before_id: all[4] as string });
    expect(before.data.map(({ id }) => id)).toEqual(all.slice(2, 4));
    expect(await client.models.retrieve("sandbox-echo")).toMatchObject({ type: "model", id: "sandbox-echo" });
  });
});
