import { expect, test } from "bun:test";
import { listCharges } from "../../support/clients/list-charges";
import { fetchWithKey, send } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForEach } from "../../support/gateways/serve-scripted";
import {
  chatCompletion,
  chunkEvent,
  DONE,
  type ScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

const BYTE_ORDER_MARK = "\uFEFF";
const usage = { prompt_tokens: 3, completion_tokens: 2 };
const words = [chunkEvent({ content: "Hello" }), chunkEvent({ content: " there" })];

let provider: ScriptedProvider;
let gateway: ServedGateway;

serveScriptedForEach(
  (served) => {
    ({ provider, gateway } = served);
  },
  { isExpectedFault: isProviderFault },
);

async function ask(path: "chat/completions" | "messages" = "chat/completions"): Promise<string> {
  const reply = await fetchWithKey(`${gateway.baseUrl}/${path}`, {
    key: gateway.key,
    body: {
      model: "fake",
      messages: [{ role: "user", content: "Hello" }],
      stream: true,
      max_tokens: 100,
      ...(path === "chat/completions" && { stream_options: { include_usage: true } }),
    },
    ...(path === "messages" && { headers: { "anthropic-version": "2023-06-01" } }),
  });
  return reply.text();
}

const charges = async () =>
  (await listCharges(gateway)).map(({ basis, completion_tokens }) => ({ basis, completion_tokens }));

test("a byte order mark before a stream hides nothing of its first event", async () => {
  provider.answerWith(() => streamChunks([BYTE_ORDER_MARK + words.join(""), DONE]));
  expect(await ask("messages")).toContain('"text":"Hello"');
  await ask();
  const charge = { basis: "estimated" as const, completion_tokens: 3 };
  expect(await charges()).toEqual([charge, charge]);
  provider.answerWith(() => streamChunks([`${BYTE_ORDER_MARK}data: {"error":{"message":"no"}}\n\n`, DONE]));
  expect(await ask()).toContain('"code":"provider_error"');
});

test.each([
  ["a short", "Hello"],
  ["a long", "Hello ".repeat(50_000)],
])("a byte order mark before %s answer is ignored, with its usage or without", async (_, content) => {
  const call = { model: "fake", messages: [{ role: "user", content: "Hello" }], max_tokens: 1_000 };
  const all = { ...usage, completion_tokens: content.length > 100 ? 2_000 : 2 };
  for (const reported of [all, undefined]) {
    const answer = BYTE_ORDER_MARK + JSON.stringify(chatCompletion(content, reported));
    provider.answerWith(() => new Response(answer, { headers: { "content-type": "application/json" } }));
    const chat = await send(`${gateway.baseUrl}/chat/completions`, { key: gateway.key, body: call });
    expect(chat.body).toMatchObject({ choices: [{ message: { content } }], usage: {} });
    const headers = { "anthropic-version": "2023-06-01" };
    const message = await send(`${gateway.baseUrl}/messages`, { key: gateway.key, body: call, headers });
    expect(message.body).toMatchObject({ content: [{ type: "text", text: content }] });
  }
  expect((await charges()).map(({ basis }) => basis).toSorted()).toEqual([
    "estimated",
    "estimated",
    "reported",
    "reported",
  ]);
});

test.each(["data: [DONE]", "data: [DONE]\n", "data: [DONE]\r\n", "data:[DONE]\r\r"])(
  "a stream that ends with %j, without an empty line, is complete",
  async (end) => {
    provider.answerWith(() => streamChunks([...words, usageEvent(usage), end]));
    const text = await ask();
    expect(text).toStartWith(words.join(""));
    expect(text).toContain('"completion_tokens":2');
    expect(text).toMatch(/\[DONE\](\r\n|\r(?!\n)|\n){2,}$/);
    expect(text).not.toContain('"error"');
    expect(await charges()).toEqual([{ basis: "reported", completion_tokens: 2 }]);
    const log = await gateway.admin<{ data: object[] }>("GET", "/organization/requests");
    expect(log.data).toMatchObject([{ outcome: "completed", status: 200 }]);
  },
);

test.each([
  ["a priced model", "1", words, "You pay only for what was generated until then; try again."],
  ["a free model", "0", words, "You were not charged for it; try again."],
  ["a priced model before its first word", "1", [], "You were not charged for it; try again."],
])("a broken stream of %s tells what it costs", async (_name, inputPrice, sent, told) => {
  const price = { input_per_1m: inputPrice, output_per_1m: inputPrice };
  await gateway.admin("POST", "/organization/models/fake", { price });
  provider.answerWith(() => streamChunks([": begins\n\n", ...sent]));
  expect(await ask()).toContain(told);
  provider.answerWith(() => streamChunks([...sent, 'data: {"error":{"code":"content_filter"}}\n\n']));
  expect(await ask()).toContain(`content_filter. ${told.split(";")[0]?.replace(/\.$/, "")}.`);
});
