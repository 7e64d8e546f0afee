import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type OpenAI, toFile } from "openai";
import { encodeWav } from "@/lib/gateway/providers/sandbox-media/create-picture-random";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedModels } from "../../support/gateways/serve-scripted-models";
import type { ScriptedProvider } from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let provider: ScriptedProvider;
let gateway: ServedGateway;
let client: OpenAI;

beforeAll(async () => {
  ({ provider, gateway, client } = await serveScriptedModels(
    `
  - id: ear
    family: transcription
    rate: "0.5"
    unit_price: { unit: second, amount: "0.001" }
    routes: [{ provider: scripted, model: whisper-1 }]
    rate_limits: { max_audio_megabytes_per_1_minute: 10 }
  - id: patient-ear
    family: transcription
    rate: "0.5"
    unit_price: { unit: second, amount: "0.000001" }
    routes: [{ provider: scripted, model: whisper-1 }]
`,
    { isExpectedFault: isProviderFault },
  ));
});
afterAll(async () => {
  await gateway.close();
  await provider.stop();
});

const model = "sandbox-transcribe";
const SAMPLES_PER_SECOND = 8_000;
const buildWav = (seconds: number, name = "talk.wav") =>
  toFile(encodeWav(new Int16Array(seconds * SAMPLES_PER_SECOND), SAMPLES_PER_SECOND), name, {
    type: "audio/wav",
  });
const balance = () => gateway.admin<{ available: string; held: string }>("GET", "/organization/balance");
const available = async () => Number((await balance()).available);

/** Sends a form as a program without the SDK does. */
async function post(fields: Record<string, string | Blob>, headers: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const reply = await fetchWithKey(`${gateway.baseUrl}/audio/transcriptions`, {
    key: gateway.key,
    body,
    headers,
  });
  const text = await reply.text();
  const type = reply.headers.get("content-type") ?? "";
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    body: type.includes("json") ? JSON.parse(text) : null,
  };
}

describe("the sandbox's transcripts through the official SDK", () => {
  test("say how long a recording is, and cost its minutes", async () => {
    const before = await available();
    const { data, response } = await client.audio.transcriptions
      .create({ model, file: await buildWav(30) })
      .withResponse();
    expect(data.text).toContain("a recording of 30 seconds");
    // Half a minute at 0.006 and a rate of 0.5.
    expect(before - (await available())).toBeCloseTo(0.0015, 9);
    expect(response.headers.has("x-ratelimit-remaining-requests")).toBe(true);
    expect((await balance()).held).toBe("0.00");
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("are returned in each format, also as translations", async () => {
    const file = await buildWav(2.5);
    const as = (response_format: "text" | "srt" | "vtt") =>
      client.audio.transcriptions.create({ model, file, response_format }) as unknown as Promise<string>;
    expect(await as("text")).toContain("2.5 seconds");
    expect(await as("srt")).toStartWith("1\n00:00:00,000 --> 00:00:02,500\n");
    expect(await as("vtt")).toStartWith("WEBVTT\n\n00:00:00.000 --> 00:00:02.500\n");
    const whole = await client.audio.transcriptions.create({ model, file, response_format: "verbose_json" });
    expect([whole.duration, whole.segments?.length]).toEqual([2.5, 1]);
    expect((await client.audio.translations.create({ model, file })).text).toContain("2.5 seconds");
  });

  test("are made and charged once for an idempotency key, with any form boundary", async () => {
    const headers = { "idempotency-key": "listen" };
    const file = await buildWav(1);
    const fields = { model, response_format: "srt", file };
    const first = await post(fields, headers);
    const before = await available();
    const again = await post(fields, headers);
    expect([again.status, again.text, await available()]).toEqual([200, first.text, before]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expect((await post({ ...fields, file: await buildWav(2) }, headers)).status).toBe(409);
  });
});

describe("a provider's transcript", () => {
  test("gets the file and its fields under its own name for the model, and is charged as it reports", async () => {
    provider.answerWith(() => Response.json({ text: "hello", usage: { type: "duration", seconds: 3 } }));
    const before = await available();
    const file = await buildWav(2);
    const { text } = await client.audio.transcriptions.create({
      model: "ear",
      file,
      language: "en",
      timestamp_granularities: ["word", "segment"],
    });
    expect(text).toBe("hello");
    expect(before - (await available())).toBeCloseTo(0.0015, 9);
    const visit = provider.visits.at(-1);
    expect(visit?.path).toBe("/v1/audio/transcriptions");
    expect(visit?.headers.get("authorization")).toBe("Bearer sk-upstream");
    const form = await new Response(visit?.body, {
      headers: { "content-type": visit?.headers.get("content-type") ?? "" },
    }).formData();
    expect([form.get("model"), form.get("language"), form.getAll("timestamp_granularities[]")]).toEqual([
      "whisper-1",
      "en",
      ["word", "segment"],
    ]);
    expect((form.get("file") as File).name).toBe("talk.wav");
  });

  test("without a duration is charged by that of the file", async () => {
    provider.answerWith(() => new Response("hello\n", { headers: { "content-type": "text/plain" } }));
    const before = await available();
    const reply = await post({ model: "ear", response_format: "text", file: await buildWav(4) });
    expect([reply.status, reply.text]).toEqual([200, "hello\n"]);
    expect(before - (await available())).toBeCloseTo(0.002, 9);
  });

  test("is never charged beyond its hold, whatever it reports", async () => {
    provider.answerWith(() =>
      Response.json({ text: "hello", usage: { type: "duration", seconds: 100_000 } }),
    );
    const before = await available();
    expect((await post({ model: "ear", file: await buildWav(1) })).status).toBe(200);
    // 16,044 bytes at 4,000 a second is the most that a WAV of this size can last.
    expect(before - (await available())).toBeCloseTo(4.011 * 0.001 * 0.5, 9);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("its hold is sized by the file's content, not by its name", async () => {
    provider.answerWith(() =>
      Response.json({ text: "hello", usage: { type: "duration", seconds: 100_000 } }),
    );
    const before = await available();
    // Opus at its lowest bit rate has 750 bytes a second.
    expect((await post({ model: "ear", file: new File([new Uint8Array(15_000)], "talk.wav") })).status).toBe(
      200,
    );
    expect(before - (await available())).toBeCloseTo(20 * 0.001 * 0.5, 9);
  });

  test("that streams is passed on, and charged by the file", async () => {
    const events =
      'data: {"type":"transcript.text.delta","delta":"hel"}\n\ndata: {"type":"transcript.text.done","text":"hello"}\n\n';
    provider.answerWith(() => new Response(events, { headers: { "content-type": "text/event-stream" } }));
    const before = await available();
    const stream = await client.audio.transcriptions.create({
      model: "ear",
      file: await buildWav(2),
      stream: true,
    });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual(["transcript.text.delta", "transcript.text.done"]);
    expect(before - (await available())).toBeCloseTo(0.001, 9);
  });

  test.each([
    ["no text", () => Response.json({ error: "none" })],
    ["a page", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
    ["cut JSON", () => new Response('{"text":"he', { headers: { "content-type": "application/json" } })],
    ["a fault", () => new Response("no", { status: 500 })],
  ])("that is %s costs nothing", async (_, script) => {
    provider.answerWith(script);
    const before = await available();
    expect(await post({ model: "patient-ear", file: await buildWav(1) })).toMatchObject({
      status: 502,
      body: { error: { code: "provider_error" } },
    });
    expect(await available()).toBe(before);
  });
});

describe("a recording is refused", () => {
  test.each([
    [{}, "file", "missing_field"],
    [{ file: "text" }, "file", "missing_field"],
    [{ file: new File([""], "a.wav") }, "file", "invalid_value"],
    [{ file: new File(["x"], "a.wav"), model: "" }, "model", "invalid_value"],
    [{ file: new File(["x"], "a.wav"), model: "sandbox-speech" }, "model", "invalid_value"],
    [{ file: new File(["x"], "a.wav"), response_format: "doc" }, "response_format", "invalid_value"],
    [{ file: new File(["x"], "a.wav"), temperature: "warm" }, "temperature", "invalid_value"],
    [{ file: new File(["x"], "a.wav"), prompt: "x".repeat(33_000) }, "prompt", "invalid_value"],
  ])("by its field (%#)", async (fields, param, code) => {
    expect(await post({ model, ...fields } as Record<string, string | Blob>)).toMatchObject({
      status: 400,
      body: { error: { param, code } },
    });
  });

  test("that is larger than 25 MiB, or no form at all", async () => {
    const file = new File([new Uint8Array(26 * 1024 * 1024)], "a.wav");
    expect(await post({ model, file })).toMatchObject({ status: 413, body: { error: { param: "body" } } });
    expect(await post({ model, file: "x" }, { "content-type": "application/json" })).toMatchObject({
      status: 400,
      body: { error: { param: "body" } },
    });
  });

  test("beyond the megabytes of a minute, and nothing is sent", async () => {
    const visits = provider.visits.length;
    const file = new File([new Uint8Array(10_500_000)], "a.wav");
    expect(await post({ model: "ear", file })).toMatchObject({
      status: 429,
      body: { error: { code: "max_audio_megabytes_per_1_minute" } },
    });
    expect(provider.visits).toHaveLength(visits);
  });
});

test("a recording of 20 MiB reaches the provider byte for byte, and is deleted", async () => {
  const bytes = Buffer.alloc(20 * 1024 * 1024, "abcdefghij");
  let received = "";
  provider.answerWith(({ body }) => {
    received = body;
    return Response.json({ text: "long", usage: { type: "duration", seconds: 1 } });
  });
  expect((await post({ model: "patient-ear", file: new File([bytes], "a.mp3") })).status).toBe(200);
  expect(received.includes(bytes.toString())).toBe(true);
  const incoming = join(gateway.dataFolder, "incoming");
  // Files are deleted after the reply.
  await until("the recording is deleted", async () => (await readdir(incoming)).length === 0);
});
