import { describe, expect, test } from "bun:test";
import OpenAI, { toFile } from "openai";
import { HOUR_MS, HOUR_S } from "@/lib/contract/durations";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { encodeWav } from "@/lib/gateway/providers/sandbox-media/create-picture-random";
import { send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import { type ScriptedProvider, streamChunks } from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let provider: ScriptedProvider;
let gateway: ServedGateway;
let client: OpenAI;

serveScriptedForAll(
  ({ baseUrl }) => {
    // Text at 2.50 and 10 per million, audio at 6, at half of the list price.
    return `
providers:
  - { id: scripted, kind: openai, base_url: "${baseUrl}", circuit: false }
models:
  - id: ear
    family: transcription
    rate: "0.5"
    price: { input_per_1m: "2.50", output_per_1m: "10.00" }
    audio_price: { input_per_1m: "6.00", output_per_1m: "0" }
    max_output_tokens: 2000
    routes: [{ provider: scripted, model: gpt-4o-transcribe }]
  - id: dear-ear
    family: transcription
    rate: "1"
    price: { input_per_1m: "1000000", output_per_1m: "1000000" }
    routes: [{ provider: scripted, model: gpt-4o-transcribe }]
`;
  },
  (served) => {
    ({ provider, gateway } = served);
    client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
  },
);

const SAMPLES_PER_SECOND = 8_000;
/** 16,000 bytes a second; a WAV has at least 4,000. */
const talk = (seconds = 3) =>
  toFile(encodeWav(new Int16Array(seconds * SAMPLES_PER_SECOND), SAMPLES_PER_SECOND), "talk.wav", {
    type: "audio/wav",
  });
const newest = async () => {
  const { data } = await gateway.admin<{ data: LedgerEntry[] }>("GET", "/organization/ledger?kind=charge");
  return data[0] as LedgerEntry;
};
const available = async () =>
  Number((await gateway.admin<{ available: string }>("GET", "/organization/balance")).available);
const usage = {
  type: "tokens",
  input_tokens: 40,
  input_token_details: { text_tokens: 10, audio_tokens: 30 },
  output_tokens: 20,
  total_tokens: 60,
};
// (10 × 2.50 + 30 × 6 + 20 × 10) ÷ 1,000,000 × 0.5
const charged = {
  amount: "0.0002025",
  basis: "reported",
  prompt_tokens: 40,
  completion_tokens: 20,
  audio: { prompt_tokens: 30, completion_tokens: 0 },
};
const transcribe = async (model = "ear") =>
  client.audio.transcriptions.create({ model, file: await talk(), prompt: "Names: Ada" });

describe("a transcript priced by tokens", () => {
  test("is charged the text and the audio that its provider reports", async () => {
    provider.answerWith(() => Response.json({ text: "hello", usage }));
    expect(await transcribe()).toMatchObject({ text: "hello", usage });
    expect(await newest()).toMatchObject(charged);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("is charged the same when it streams, wherever its events are cut", async () => {
    const done = `data: ${JSON.stringify({ type: "transcript.text.done", text: "hello", usage })}`;
    const delta = `data: ${JSON.stringify({ type: "transcript.text.delta", delta: "hello" })}\n\n`;
    provider.answerWith(() => streamChunks([delta, done.slice(0, 40), done.slice(40)]));
    const events = await client.audio.transcriptions.create({
      model: "ear",
      file: await talk(),
      stream: true,
    });
    const types: string[] = [];
    for await (const { type } of events) types.push(type);
    expect(types).toEqual(["transcript.text.delta", "transcript.text.done"]);
    expect(await newest()).toMatchObject(charged);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("takes input without details as audio", async () => {
    const { input_token_details: _, ...plain } = usage;
    provider.answerWith(() => Response.json({ text: "hello", usage: plain }));
    await transcribe();
    expect(await newest()).toMatchObject({ audio: { prompt_tokens: 40 }, basis: "reported" });
  });

  test.each([
    ["nothing", undefined],
    ["a duration", { type: "duration", seconds: 3 }],
    ["half a token", { type: "tokens", input_tokens: 1.5, output_tokens: "few" }],
    ["fewer than none", { type: "tokens", input_tokens: -1, output_tokens: -1 }],
    ["zeros", { type: "tokens", input_tokens: 0, output_tokens: 0, total_tokens: 0 }],
  ])("is estimated where its provider reports %s", async (_, reported) => {
    provider.answerWith(() => Response.json({ text: "twelve bytes", usage: reported }));
    await transcribe();
    // Three seconds at 10 tokens each, and 12 bytes at 4 a token.
    const entry = await newest();
    expect(entry).toMatchObject({
      basis: "estimated",
      completion_tokens: 3,
      audio: { prompt_tokens: 30, completion_tokens: 0 },
    });
    expect(entry.prompt_tokens).toBeGreaterThan(30);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test.each([
    ["the one that can be true", { ...usage, output_tokens: 0, total_tokens: 40 }, "estimated", 3],
    ["the one that its total leaves", { ...usage, output_tokens: null }, "reported", 20],
    ["those that are written as text", { ...usage, input_tokens: "40", output_tokens: "20" }, "reported", 20],
  ] as const)("keeps of its provider's figures %s", async (_, reported, basis, completion_tokens) => {
    provider.answerWith(() => Response.json({ text: "twelve bytes", usage: reported }));
    await transcribe();
    expect(await newest()).toMatchObject({ basis, prompt_tokens: 40, completion_tokens });
  });

  test("is estimated where a text or a stream reports nothing", async () => {
    provider.answerWith(() => new Response("twelve bytes", { headers: { "content-type": "text/plain" } }));
    await client.audio.transcriptions.create({ model: "ear", file: await talk(), response_format: "text" });
    const text = await newest();
    expect(text).toMatchObject({ basis: "estimated", completion_tokens: 3 });
    const delta = `data: ${JSON.stringify({ type: "transcript.text.delta", delta: "sixteen bytes..." })}\n\n`;
    provider.answerWith(() => streamChunks([delta, "data: {broken\n\n"]));
    const events = await client.audio.transcriptions
      .create({ model: "ear", file: await talk(), stream: true })
      .asResponse();
    await events.text();
    expect(await newest()).toMatchObject({ basis: "estimated", completion_tokens: 4 });
  });

  test("is never charged beyond its hold, which covers the longest that its file can last", async () => {
    let held = "";
    provider.answerWith(async () => {
      held = (await gateway.admin<{ held: string }>("GET", "/organization/balance")).held;
      const many = { ...usage, input_tokens: 10_000, output_tokens: 100_000 };
      return Response.json({ text: "hello", usage: many });
    });
    const before = await available();
    await transcribe();
    // 48,044 bytes at 4,000 a second and 32 tokens each, and 2,000 tokens of output.
    const least = ((Math.ceil((48_044 / 4_000) * 32) * 6 + 2_000 * 10) / 1_000_000) * 0.5;
    expect(Number(held)).toBeGreaterThanOrEqual(least);
    expect(before - (await available())).toBeCloseTo(Number(held), 9);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("is refused where the balance doesn't cover its whole hold", async () => {
    const refused = transcribe("dear-ear");
    expect(await refused.catch(({ status }: { status: number }) => status)).toBe(402);
    expect(provider.visits).toEqual([]);
  });

  test("is charged as far as it came if its client leaves", async () => {
    const delta = `data: ${JSON.stringify({ type: "transcript.text.delta", delta: "sixteen bytes..." })}\n\n`;
    provider.answerWith(
      () =>
        new Response(
          new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(delta)) }),
          {
            headers: { "content-type": "text/event-stream" },
          },
        ),
    );
    const before = (await newest()).id;
    const leaving = new AbortController();
    const events = await client.audio.transcriptions.create(
      { model: "ear", file: await talk(), stream: true },
      { signal: leaving.signal },
    );
    for await (const _ of events) leaving.abort();
    await until("the call is charged", async () => (await newest()).id !== before);
    expect(await newest()).toMatchObject({
      basis: "estimated",
      completion_tokens: 4,
      audio: { prompt_tokens: 30 },
    });
  });
});

describe("a transcription model", () => {
  const change = (body: object, id = "sandbox-transcribe") =>
    send(`${gateway.baseUrl}/organization/models/${id}`, { method: "POST", key: gateway.adminKey, body });
  const price = { input_per_1m: "2.50", output_per_1m: "10.00" };
  const audio_price = { input_per_1m: "6.00", output_per_1m: "0.00" };
  const unit_price = { unit: "minute", amount: "0.006" };

  test("is priced by tokens or by time: one price replaces the other", async () => {
    expect((await change({ audio_price })).error).toMatchObject({ param: "audio_price" });
    expect((await change({ price, audio_price })).body).toMatchObject({
      price,
      audio_price,
      unit_price: null,
    });
    await gateway.restart();
    client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
    expect(await gateway.admin("GET", "/organization/models/sandbox-transcribe")).toMatchObject({
      price,
      audio_price,
      unit_price: null,
    });
    // The sandbox reports seconds.
    await transcribe("sandbox-transcribe");
    expect(await newest()).toMatchObject({ basis: "estimated", audio: { prompt_tokens: 30 } });
    const { body } = await change({ unit_price });
    expect(body).toMatchObject({ unit_price, price: null, audio_price: null });
    await transcribe("sandbox-transcribe");
    expect(await newest()).toMatchObject({ basis: "reported", units: "0.05", prompt_tokens: 0 });
  });

  test.each([
    ["both prices", "sandbox-transcribe", { price, unit_price }, "unit_price"],
    ["a price of audio beside one of time", "sandbox-transcribe", { audio_price, unit_price }, "audio_price"],
    ["a price by tokens for an image model", "sandbox-image", { price }, "price"],
    ["a price by tokens for a speech model", "sandbox-speech", { price }, "price"],
  ])("is refused %s", async (_, id, body, param) => {
    expect(await change(body, id)).toMatchObject({ status: 400, error: { param } });
  });

  test("changes from time to tokens on schedule, and back by a later schedule", async () => {
    const scheduled = "/organization/models/sandbox-transcribe/scheduled_prices";
    const now = Math.floor(gateway.runtime.clock.nowMs() / 1_000);
    await gateway.admin("POST", scheduled, { effective_at: now + HOUR_S, price, audio_price });
    await gateway.admin("POST", scheduled, { effective_at: now + 7_200, unit_price });
    const model = () =>
      gateway.admin<{ price: object | null }>("GET", "/organization/models/sandbox-transcribe");
    gateway.pass(HOUR_MS);
    await until("tokens are priced", async () => (await model()).price !== null);
    expect(await model()).toMatchObject({ price, audio_price, unit_price: null });
    gateway.pass(HOUR_MS);
    await until("time is priced", async () => (await model()).price === null);
    expect(await model()).toMatchObject({ unit_price, audio_price: null });
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });
});
