import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listCharges } from "../../support/clients/list-charges";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

const MIB = 1024 * 1024;
const usage = { prompt_tokens: 11, completion_tokens: 100_000 };
const long = "Größe, 長さ and so on. ".repeat(20_000);

let provider: ScriptedProvider;
let gateway: ServedGateway;

beforeAll(async () => {
  provider = startScriptedProvider();
  const config =
    `${scriptedConfiguration(provider)}    rate_limits: { max_tokens_per_1_minute: 1000000000, max_requests_per_1_minute: 1000 }\n`.replace(
      "max_output_tokens: 1000",
      "max_output_tokens: 1000000",
    );
  gateway = await serveGateway({ isExpectedFault: isProviderFault, config, balance: "1000.00" });
});
afterAll(async () => {
  await gateway.close();
  await provider.stop();
});

async function ask(path: string, more: object = {}) {
  const reply = await fetchWithKey(`${gateway.baseUrl}${path}`, {
    key: gateway.key,
    body: {
      model: "fake",
      max_tokens: 1_000_000,
      messages: [{ role: "user", content: "Hello" }],
      ...more,
    },
    headers: path === "/messages" ? { "anthropic-version": "2023-06-01" } : {},
  });
  return { status: reply.status, text: await reply.text() };
}

const lastCharge = async () => (await listCharges(gateway)).at(-1);

const completion = (more: object) =>
  JSON.stringify({ choices: [{ index: 0, message: { content: long }, finish_reason: "stop" }], ...more });

describe("a long reply", () => {
  test("passes on byte for byte, and costs what it reports", async () => {
    const sent = completion({ usage, more: { after: "usage" } });
    provider.answerWith(() => new Response(sent));
    const { status, text } = await ask("/chat/completions");
    expect([status, text === sent]).toEqual([200, true]);
    expect(await lastCharge()).toMatchObject({ basis: "reported", completion_tokens: 100_000 });
  });

  test("without a usage is charged by its bytes, and gets the usage that was charged", async () => {
    const sent = completion({});
    provider.answerWith(() => new Response(streamChunks([sent.slice(0, 99_999), sent.slice(99_999)]).body));
    const { text } = await ask("/chat/completions");
    const tokens = Math.ceil(Buffer.byteLength(long) / 4);
    expect(await lastCharge()).toMatchObject({ basis: "estimated", completion_tokens: tokens });
    const { usage: told, choices } = JSON.parse(text);
    expect([told.completion_tokens, choices[0].message.content === long]).toEqual([tokens, true]);
  });

  test("whose usage is more than was held gets the one that was charged, where the other stood", async () => {
    const more = { prompt_tokens: 11, completion_tokens: 900_000_000 };
    provider.answerWith(() => new Response(completion({ usage: more, after: "größer" })));
    const { usage: told, after } = JSON.parse((await ask("/chat/completions")).text);
    expect(told.completion_tokens).toBeLessThan(900_000_000);
    expect(after).toBe("größer");
  });

  test("is a Message for callers of the Messages API", async () => {
    provider.answerWith(() => new Response(completion({ usage })));
    const message = JSON.parse((await ask("/messages")).text);
    expect(message.content).toEqual([{ type: "text", text: long }]);
    expect(message.usage).toMatchObject({ output_tokens: 100_000 });
  });
});

describe("a long event of a stream", () => {
  const stream = [chunkEvent({ content: long, tool_calls: [] }), usageEvent(usage), DONE];

  test("passes on byte for byte, and is counted", async () => {
    provider.answerWith(() => streamChunks([...stream.slice(0, 1), DONE]));
    const { text } = await ask("/chat/completions", { stream: true });
    expect(text === stream[0] + DONE).toBe(true);
    expect(await lastCharge()).toMatchObject({
      basis: "estimated",
      completion_tokens: Math.ceil(Buffer.byteLength(long) / 4),
    });
  });

  test("is one of a Message for callers of the Messages API", async () => {
    provider.answerWith(() => streamChunks(stream));
    const { text } = await ask("/messages", { stream: true });
    expect(text).toContain(JSON.stringify({ type: "text_delta", text: long }));
    expect(text).toContain("message_stop");
    expect(await lastCharge()).toMatchObject({ basis: "reported", completion_tokens: 100_000 });
  });
});

test.each([
  ["deep", `{"choices":${"[".repeat(MIB)}`],
  ["of millions of elements", `{"choices":[${"[],".repeat(5 * MIB)}0]}`],
  ["no JSON", `{"choices":[${"x".repeat(MIB)}`],
  ["without choices", JSON.stringify({ text: long })],
])("a long reply that is %s is the provider's failure, and costs nothing", async (_, sent) => {
  provider.answerWith(() => new Response(sent));
  const before = await listCharges(gateway);
  expect(await ask("/chat/completions")).toMatchObject({ status: 502 });
  expect(await listCharges(gateway)).toEqual(before);
});

test("a long event that can't be read breaks the stream off, and what came is charged", async () => {
  const deep = `data: {"choices":${"[".repeat(MIB)}\n\n`;
  provider.answerWith(() => streamChunks([chunkEvent({ content: "one" }), deep, DONE]));
  const { text } = await ask("/chat/completions", { stream: true });
  expect(text).toContain('"content":"one"');
  expect(text).toContain('"code":"provider_error"');
  expect(await lastCharge()).toMatchObject({ basis: "estimated", completion_tokens: 1 });
});
