import { describe, expect, test } from "bun:test";
import { listCharges } from "../../support/clients/list-charges";
import { officialClient } from "../../support/clients/official-client";
import { until } from "../../support/clients/until";
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

serveScriptedForAll(scriptedConfiguration, (served) => {
  ({ provider, gateway } = served);
});

const body = { model: "fake", messages: [{ role: "user" as const, content: "Hello" }] };
const ask = () => officialClient(gateway.baseUrl, gateway.key).chat.completions.create(body);
const stream = async () => {
  const client = officialClient(gateway.baseUrl, gateway.key);
  const options = { stream: true, stream_options: { include_usage: true } } as const;
  return Array.fromAsync(await client.chat.completions.create({ ...body, ...options }));
};
const charges = async () =>
  (await listCharges(gateway)).map(({ prompt_tokens, completion_tokens, basis }) => ({
    prompt_tokens,
    completion_tokens,
    basis,
  }));

/** The usage as xAI reports it: 394 tokens of reasoning beside the 9 of the answer. */
const beside = {
  prompt_tokens: 32,
  completion_tokens: 9,
  total_tokens: 435,
  prompt_tokens_details: { cached_tokens: 30 },
  completion_tokens_details: { reasoning_tokens: 394 },
};

test("reasoning that is counted beside the answer is charged and shown with it", async () => {
  provider.answerWith(({ body: sent }) =>
    JSON.parse(sent).stream
      ? streamChunks([chunkEvent({ content: "Hi" }), usageEvent(beside), DONE])
      : Response.json(chatCompletion("Hi", beside)),
  );
  const shown = { ...beside, completion_tokens: 403 };
  expect((await ask()).usage).toEqual(shown);
  expect((await charges()).at(-1)).toEqual({ prompt_tokens: 32, completion_tokens: 403, basis: "reported" });
  expect((await stream()).at(-1)?.usage).toEqual(shown);
  expect((await charges()).at(-1)).toEqual({ prompt_tokens: 32, completion_tokens: 403, basis: "reported" });
});

describe("a usage that the gateway writes has the head of its stream's chunks", () => {
  const head = { id: "chatcmpl-1", created: 5, model: "upstream-name" };
  const beyond = { prompt_tokens: 11, completion_tokens: 5_000, total_tokens: 5_011 };
  test.each([
    ["where none is reported", []],
    ["where another is charged", [chunkEvent({}, { ...head, choices: [], usage: beyond })]],
    ["after a comment", [": still here\n\n"]],
  ])("%s", async (_name, between) => {
    provider.answerWith(() => streamChunks([chunkEvent({ content: "Hi" }, head), ...between, DONE]));
    const { usage, ...last } = (await stream()).at(-1) ?? {};
    expect(last).toEqual({ ...head, model: "fake", object: "chat.completion.chunk", choices: [] });
    expect(usage?.prompt_tokens).toBeGreaterThan(0);
  });

  test("and one of the gateway's own where they have none", async () => {
    const chunk = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';
    provider.answerWith(() => streamChunks([chunk, DONE]));
    const { id, created, model } = (await stream()).at(-1) ?? {};
    expect([id, typeof created, model]).toEqual([expect.stringMatching(/^req_/), "number", "fake"]);
  });
});

test("a caller who leaves pays for the document that was sent, not for the context window", async () => {
  const before = (await charges()).length;
  const never = new Promise<void>(() => {});
  provider.answerWith(() => streamChunks([chunkEvent({ content: "One" }), never]));
  const file_data = `data:application/pdf;base64,${Buffer.alloc(1_200).toString("base64")}`;
  const content = [{ type: "file" as const, file: { filename: "a.pdf", file_data } }];
  const events = await officialClient(gateway.baseUrl, gateway.key).chat.completions.create({
    ...body,
    messages: [{ role: "user", content }],
    stream: true,
  });
  for await (const _ of events) break;
  await until("the call is charged", async () => (await charges()).length > before);
  const promptTokens = (await charges()).at(-1)?.prompt_tokens;
  expect(promptTokens).toBeGreaterThan(300);
  expect(promptTokens).toBeLessThan(500);
});

describe("a usage that can't be true is estimated, figure by figure, and the reply shows what is charged:", () => {
  const words = "two words ".repeat(100);
  const question = "How many words can you write? ".repeat(20);
  const longBody = { ...body, messages: [{ role: "user" as const, content: question }] };
  const send = async (isStream: boolean) => {
    const client = officialClient(gateway.baseUrl, gateway.key);
    if (!isStream) return (await client.chat.completions.create(longBody)).usage;
    const options = { stream: true, stream_options: { include_usage: true } } as const;
    return (await Array.fromAsync(await client.chat.completions.create({ ...longBody, ...options }))).at(-1)
      ?.usage;
  };
  const answerWith = (usage: object, last = usage) =>
    provider.answerWith(({ body: sent }) =>
      JSON.parse(sent).stream
        ? streamChunks([chunkEvent({ content: words }), usageEvent(usage), usageEvent(last), DONE])
        : Response.json(chatCompletion(words, usage)),
    );
  const estimatedOutput = Math.ceil(words.length / 4);

  test.each([
    ["zeros", { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, null, estimatedOutput],
    ["no output", { prompt_tokens: 120, completion_tokens: 0, total_tokens: 120 }, 120, estimatedOutput],
    ["no prompt", { prompt_tokens: 0, completion_tokens: 200, total_tokens: 200 }, null, 200],
    ["a token for a long answer", { prompt_tokens: 120, completion_tokens: 1 }, 120, estimatedOutput],
    ["a token for a long prompt", { prompt_tokens: 1, completion_tokens: 200 }, null, 200],
    ["half of it", { prompt_tokens: 120 }, 120, estimatedOutput],
  ])("%s", async (_, usage, prompt, completion_tokens) => {
    answerWith(usage);
    for (const isStream of [false, true]) {
      const shown = await send(isStream);
      const charge = (await charges()).at(-1);
      expect(charge).toMatchObject({ completion_tokens, basis: "estimated" });
      expect(shown).toMatchObject({ prompt_tokens: charge?.prompt_tokens, completion_tokens });
      if (prompt) expect(charge?.prompt_tokens).toBe(prompt);
      else expect(charge?.prompt_tokens).toBeGreaterThan(100);
    }
  });

  test.each([
    ["in text", { prompt_tokens: "120", completion_tokens: "200" }],
    ["with other names", { input_tokens: 120, output_tokens: 200 }],
    ["as a total", { prompt_tokens: 120, total_tokens: 320 }],
  ])("except figures that are found %s, which the reply shows under their names", async (_, usage) => {
    answerWith(usage);
    for (const isStream of [false, true]) {
      expect(await send(isStream)).toMatchObject({ prompt_tokens: 120, completion_tokens: 200 });
      expect((await charges()).at(-1)).toEqual({
        prompt_tokens: 120,
        completion_tokens: 200,
        basis: "reported",
      });
    }
  });

  test("except those that zeros follow in a stream", async () => {
    answerWith({ prompt_tokens: 120, completion_tokens: 200 }, { prompt_tokens: 0, completion_tokens: 0 });
    expect(await send(true)).toMatchObject({ prompt_tokens: 120, completion_tokens: 200 });
    expect((await charges()).at(-1)?.basis).toBe("reported");
  });

  test("except those in the choice, in another member, or in a server's timings", async () => {
    const usage = { prompt_tokens: 120, completion_tokens: 200, total_tokens: 320 };
    const last = (fields: object) => [{ index: 0, delta: {}, finish_reason: "stop", ...fields }];
    for (const chunk of [
      { choices: last({ usage }) },
      { choices: last({}), x_groq: { id: "r", usage } },
      { choices: last({}), timings: { cache_n: 100, prompt_n: 20, predicted_n: 200 } },
    ]) {
      const ending = `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", ...chunk })}\n\n`;
      provider.answerWith(() => streamChunks([chunkEvent({ content: words }), ending, DONE]));
      expect(await send(true)).toMatchObject({ prompt_tokens: 120, completion_tokens: 200 });
      expect((await charges()).at(-1)).toMatchObject({ prompt_tokens: 120, basis: "reported" });
    }
  });
});
