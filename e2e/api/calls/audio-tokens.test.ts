import { describe, expect, test } from "bun:test";
import { DAY_S } from "@/lib/contract/durations";
import { leaveAfter } from "../../support/clients/leave-after";
import { readCharge } from "../../support/clients/list-charges";
import { fetchWithKey, send } from "../../support/clients/send";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import {
  chatCompletion,
  chunkEvent,
  DONE,
  type ScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let provider: ScriptedProvider;
let gateway: ServedGateway;

serveScriptedForAll(
  ({ baseUrl }) => {
    // Text at 2 and 10 per million, audio at 40 and 80, at half of the list price.
    return `
providers:
  - { id: scripted, kind: openai, base_url: "${baseUrl}", circuit: false }
models:
  - id: talker
    family: chat
    rate: "0.5"
    price: { input_per_1m: "2.00", output_per_1m: "10.00" }
    audio_price: { input_per_1m: "40.00", output_per_1m: "80.00" }
    max_output_tokens: 1000
    routes: [{ provider: scripted, model: gpt-audio }]
`;
  },
  (served) => {
    ({ provider, gateway } = served);
  },
);

const message = { content: null, audio: { id: "a", data: "AAAA", transcript: "Hi" } };
/** The usage as OpenAI reports it: the tokens of audio are a part of all tokens. */
const usage = {
  prompt_tokens: 100,
  completion_tokens: 50,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 80, text_tokens: 20 },
  completion_tokens_details: { audio_tokens: 40, text_tokens: 10 },
};
const completion = (reported?: object) => chatCompletion(message, reported);
const ask = (fields: object = {}) =>
  send(`${gateway.baseUrl}/chat/completions`, {
    method: "POST",
    key: gateway.key,
    body: {
      model: "talker",
      modalities: ["text", "audio"],
      audio: { voice: "alloy", format: "wav" },
      messages: [{ role: "user", content: "Hello" }],
      ...fields,
    },
  });
// (20 × 2 + 80 × 40 + 10 × 10 + 40 × 80) ÷ 1,000,000 × 0.5
const charge = {
  amount: "0.00327",
  basis: "reported",
  prompt_tokens: 100,
  completion_tokens: 50,
  audio: { prompt_tokens: 80, completion_tokens: 40 },
  price: {
    input_per_1m: "2.00",
    output_per_1m: "10.00",
    rate: "0.50",
    audio: { input_per_1m: "40.00", output_per_1m: "80.00" },
  },
};

describe("tokens of audio cost their own price", () => {
  test("in a whole answer", async () => {
    provider.answerWith(() => Response.json(completion(usage)));
    const { status, headers, body } = await ask();
    expect([status, body.usage]).toEqual([200, usage]);
    expect(await readCharge(gateway, headers.get("x-request-id"))).toMatchObject(charge);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("in a streamed answer, of which nothing is cut off", async () => {
    // The pieces are two seconds of speech, which 40 tokens of audio last.
    const pieces = Array.from({ length: 10 }, () => Buffer.alloc(9_600).toString("base64"));
    provider.answerWith(() =>
      streamChunks([
        chunkEvent({ audio: { id: "a", transcript: "Hi" } }),
        ...pieces.map((data) => chunkEvent({ audio: { id: "a", data } })),
        usageEvent(usage),
        DONE,
      ]),
    );
    const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
      key: gateway.key,
      body: {
        model: "talker",
        modalities: ["text", "audio"],
        messages: [{ role: "user", content: "Hello" }],
        max_completion_tokens: 50,
        stream: true,
      },
    });
    const events = await reply.text();
    expect(events.match(/"data":/g)).toHaveLength(pieces.length);
    expect(events).toEndWith(DONE);
    expect(await readCharge(gateway, reply.headers.get("x-request-id"))).toMatchObject(charge);
  });

  test("and nothing more where none are audio", async () => {
    provider.answerWith(() =>
      Response.json(completion({ prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 })),
    );
    const entry = await readCharge(gateway, (await ask()).headers.get("x-request-id"));
    expect([entry.amount, entry.audio, entry.price?.audio]).toEqual(["0.00035", undefined, undefined]);
  });

  test.each([
    ["more than there are", { audio_tokens: 900 }, { prompt_tokens: 100, completion_tokens: 0 }],
    ["half a token", { audio_tokens: 1.5 }, undefined],
    ["fewer than none", { audio_tokens: -5 }, undefined],
    ["a text", { audio_tokens: "80" }, { prompt_tokens: 80, completion_tokens: 0 }],
  ])("a provider that reports %s charges no more than the tokens there are", async (_, details, audio) => {
    provider.answerWith(() =>
      Response.json(
        completion({ ...usage, completion_tokens_details: null, prompt_tokens_details: details }),
      ),
    );
    expect((await readCharge(gateway, (await ask()).headers.get("x-request-id"))).audio).toEqual(audio);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });
});

test("the hold covers tokens that are all audio", async () => {
  let held: { held: string } | undefined;
  provider.answerWith(async () => {
    held = await gateway.admin<{ held: string }>("GET", "/organization/balance");
    const all = { prompt_tokens: 1, completion_tokens: 1_000, total_tokens: 1_001 };
    return Response.json(
      completion({
        ...all,
        completion_tokens_details: { audio_tokens: 1_000 },
        prompt_tokens_details: { audio_tokens: 1 },
      }),
    );
  });
  const { headers } = await ask();
  // (1 × 40 + 1,000 × 80) ÷ 1,000,000 × 0.5
  expect((await readCharge(gateway, headers.get("x-request-id"))).amount).toBe("0.04002");
  expect(Number(held?.held)).toBeGreaterThanOrEqual(0.04002);
});

test.each([
  ["reports nothing", [DONE]],
  ["never gets to report it, since its client leaves", [new Promise<void>(() => {})]],
])("speech costs its price where the provider %s", async (_, end) => {
  // Twenty tokens a second.
  const second = chunkEvent({ audio: { id: "a", data: Buffer.alloc(48_000).toString("base64") } });
  provider.answerWith(() => streamChunks([second, second, ...end]));
  const headers = await leaveAfter(2 * second.length, `${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { model: "talker", messages: [{ role: "user", content: "Hello" }], stream: true },
  });
  const entry = await readCharge(gateway, headers.get("x-request-id"));
  expect(entry).toMatchObject({
    basis: "estimated",
    completion_tokens: 40,
    audio: { prompt_tokens: 0, completion_tokens: 40 },
  });
  // 40 × 80 ÷ 1,000,000 × 0.5, and the prompt.
  expect(Number(entry.amount)).toBeGreaterThanOrEqual(0.0016);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("where the provider reports nothing, the prompt's audio is estimated by its size", async () => {
  provider.answerWith(() => Response.json(completion()));
  const data = Buffer.alloc(12_000).toString("base64");
  const content = [{ type: "input_audio", input_audio: { data, format: "mp3" } }];
  const { headers } = await ask({ messages: [{ role: "user", content }] });
  const entry = await readCharge(gateway, headers.get("x-request-id"));
  // The prompt's 16,000 characters of base64 at 128 a token, and the answer's four, which are a token of their own.
  expect(entry).toMatchObject({ basis: "estimated", audio: { prompt_tokens: 125, completion_tokens: 1 } });
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("a call of audio outlives the gateway with its prices", async () => {
  provider.answerWith(() => Response.json(completion(usage)));
  const { headers } = await ask();
  await gateway.restart();
  expect(await readCharge(gateway, headers.get("x-request-id"))).toMatchObject(charge);
});

test("the costs of input and output contain their audio, and add up to the charge", async () => {
  provider.answerWith(() => Response.json(completion(usage)));
  const project = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Costs" });
  const keys = `/organization/projects/${project.id}/api_keys`;
  const { value: key } = await gateway.admin<{ value: string }>("POST", keys, { name: "Costs" });
  const body = { model: "talker", messages: [{ role: "user", content: "Hello" }] };
  const { headers } = await send(`${gateway.baseUrl}/chat/completions`, { method: "POST", key, body });
  await readCharge(gateway, headers.get("x-request-id"));
  const since = Math.floor(gateway.runtime.clock.nowMs() / 1_000) - DAY_S;
  const costs = await gateway.admin<{
    data: { results: { line_item: string; amount: { value: number } }[] }[];
  }>("GET", `/organization/costs?start_time=${since}&project_ids=${project.id}&group_by=line_item`);
  const items = costs.data.flatMap(({ results }) => results);
  // (20 × 2 + 80 × 40) and (10 × 10 + 40 × 80) ÷ 1,000,000 × 0.5
  expect(Object.fromEntries(items.map(({ line_item, amount }) => [line_item, amount.value]))).toEqual({
    "talker, input_tokens": 0.00162,
    "talker, output_tokens": 0.00165,
  });
});
