import { beforeEach, describe, expect, test } from "bun:test";
import { listCharges, untilNothingIsHeld } from "../../support/clients/list-charges";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import {
  chatCompletion,
  chunkEvent,
  DONE,
  type ScriptedProvider,
  scriptedConfiguration,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;

serveScriptedForAll(
  (served) => scriptedConfiguration(served),
  (served) => {
    ({ provider, gateway } = served);
  },
  { isExpectedFault: isProviderFault },
);

beforeEach(() => gateway.pass(1_000));

const MEGABYTE = 1024 * 1024;
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const finish = `data: ${JSON.stringify({ id: "c1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n`;
const words = [chunkEvent({ content: "Hello" }), chunkEvent({ content: " there" })];
const events = [...words, finish, usageEvent(usage), DONE];
const streamed = `${words.join("")}${finish}${DONE}`;

async function ask(stream: boolean, path = "chat/completions") {
  const reply = await fetchWithKey(`${gateway.baseUrl}/${path}`, {
    key: gateway.key,
    body: { model: "fake", messages: [{ role: "user", content: "Hello" }], stream, max_tokens: 100 },
    ...(path === "messages" && { headers: { "anthropic-version": "2023-06-01" } }),
  });
  return { status: reply.status, type: reply.headers.get("content-type"), text: await reply.text() };
}

const lastCharge = async () => {
  await untilNothingIsHeld(gateway);
  const charge = (await listCharges(gateway)).at(-1);
  return [charge?.basis, charge?.prompt_tokens, charge?.completion_tokens];
};

describe("a stream is read as one", () => {
  test.each([
    ["text/plain", "text/plain", events],
    ["octets", "application/octet-stream", events],
    ["JSON", "application/json", events],
    ["no type", "", events],
    ["text, behind a comment", "text/plain", [": wait\n\n", ...events]],
    ["text, behind a byte order mark", "text/plain", [`\uFEFF${events[0]}`, ...events.slice(1)]],
    ["text, byte by byte", "text/plain", [...(words[0] ?? ""), ...events.slice(1)]],
  ])("under the type of %s", async (_type, type, parts) => {
    provider.answerWith(() => {
      const reply = streamChunks(parts, type || "text/event-stream");
      if (!type) reply.headers.delete("content-type");
      return reply;
    });
    const { status, text, type: told } = await ask(true);
    expect([status, told]).toEqual([200, "text/event-stream"]);
    expect(text).toBe(parts[0]?.startsWith(":") ? `: wait\n\n${streamed}` : streamed);
    expect(await lastCharge()).toEqual(["reported", 3, 2]);
  });

  test.each([201, 202, 206, 299])("with status %i, as a whole answer is", async (status) => {
    const { body } = streamChunks(events);
    provider.answerWith(
      () => new Response(body, { status, headers: { "content-type": "text/event-stream" } }),
    );
    expect(await ask(true)).toMatchObject({ status: 200, text: streamed });
    const whole = chatCompletion("Hello there", usage);
    provider.answerWith(() => Response.json(whole, { status }));
    const reply = await ask(false);
    expect([reply.status, JSON.parse(reply.text)]).toEqual([200, { ...whole, model: "fake" }]);
  });
});

test.each([204, 304])("status %i has no answer", async (status) => {
  provider.answerWith(() => new Response(null, { status }));
  expect((await ask(false)).status).toBe(502);
  expect((await ask(true)).status).toBe(502);
});

describe("a whole answer to a streamed call becomes a stream", () => {
  const call = { id: "t1", type: "function", function: { name: "f", arguments: "{}" } };
  test.each([
    ["text", { content: "Hello there" }, "end_turn"],
    ["a tool call", { content: null, tool_calls: [call] }, "tool_use"],
  ])("with %s", async (_what, message, reason) => {
    const whole = chatCompletion(message, usage);
    provider.answerWith(() => Response.json(whole));
    const { status, type, text } = await ask(true);
    expect([status, type]).toEqual([200, "text/event-stream"]);
    expect(text).toEndWith(DONE);
    const chunks = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => JSON.parse(json));
    expect(chunks[0]).toMatchObject({
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta: message }],
    });
    expect(chunks.at(-1).choices[0].finish_reason).toBe("stop");
    expect((await lastCharge()).slice(0, 2)).toEqual(["reported", 3]);
    expect((await ask(true, "messages")).text).toContain(`"stop_reason":"${reason}"`);
  });

  test("that is longer than the event loop reads", async () => {
    const content = "a".repeat(1_000_000);
    provider.answerWith(() => Response.json(chatCompletion({ content: "Hi", extra: content }, usage)));
    const { text } = await ask(true);
    expect(text).toContain(content);
    expect(text).toEndWith(DONE);
  });

  test.each([
    ["an error", '{"error":{"message":"no"}}'],
    ["something else", '{"ok":true}'],
    ["JSON cut short", '{"choices":['],
    ["a page", "<html></html>"],
    ["nothing", ""],
  ])("unless it is %s", async (_what, body) => {
    const before = await listCharges(gateway);
    provider.answerWith(() => new Response(body, { headers: { "content-type": "application/json" } }));
    expect((await ask(true)).status).toBe(502);
    expect(await listCharges(gateway)).toEqual(before);
  });
});

describe("a stream in reply to a call for a whole answer becomes one", () => {
  test.each([
    ["that ends with [DONE]", events],
    ["that ends with its usage", events.slice(0, -1)],
    ["that is long", [chunkEvent({ role: "assistant", pad: "x".repeat(100_000) }), ...events]],
  ])("%s", async (_how, parts) => {
    provider.answerWith(() => streamChunks(parts));
    const { status, type, text } = await ask(false);
    expect([status, type]).toEqual([200, "application/json"]);
    expect(JSON.parse(text)).toMatchObject({
      object: "chat.completion",
      choices: [{ message: { role: "assistant", content: "Hello there" }, finish_reason: "stop" }],
      usage,
    });
    expect(await lastCharge()).toEqual(["reported", 3, 2]);
    expect(JSON.parse((await ask(false, "messages")).text).content[0].text).toBe("Hello there");
  });

  test("unless it ends too early", async () => {
    provider.answerWith(() => streamChunks(words));
    expect((await ask(false)).status).toBe(502);
  });
});

test("a byte order mark before a whole answer is not passed on", async () => {
  for (const content of ["Hello", "Hello ".repeat(50_000)]) {
    const whole = JSON.stringify(chatCompletion(content, { ...usage, completion_tokens: 90 }));
    provider.answerWith(
      () => new Response(`\uFEFF${whole}`, { headers: { "content-type": "application/json" } }),
    );
    const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
      key: gateway.key,
      body: { model: "fake", messages: [{ role: "user", content: "Hello" }], max_tokens: 100 },
    });
    expect(
      Buffer.from(await reply.arrayBuffer())
        .subarray(0, 1)
        .toString(),
    ).toBe("{");
  }
});

test.each([6, 20])("an event of %i MiB passes as a whole answer of that length does", async (megabytes) => {
  const image = { type: "image_url", image_url: { url: "x".repeat(megabytes * MEGABYTE) } };
  const long = chunkEvent({ content: "", images: [image] });
  provider.answerWith(() => streamChunks([long, finish, DONE]));
  const { text } = await ask(true);
  expect(text.length).toBe(`${long}${finish}${DONE}`.length);
  expect(text).toEndWith(DONE);
  expect((await ask(true, "messages")).text).toContain("event: message_stop");
});
