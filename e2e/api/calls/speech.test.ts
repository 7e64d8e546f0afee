import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { type Script, SocketServer } from "@/lib/gateway/http/outbound/testing/socket-server";
import { untilNothingIsHeld } from "../../support/clients/list-charges";
import { readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey, send } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  type ScriptedProvider,
  startScriptedProvider,
  streamChunks,
} from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let provider: ScriptedProvider;
const cutting = new SocketServer();
/** Breaks off after the first bytes of its reply. */
const cut: Script = (socket) =>
  void socket.end("HTTP/1.1 200 OK\r\ncontent-type: audio/mpeg\r\ncontent-length: 100\r\n\r\nbegun");
let gateway: ServedGateway;
let client: OpenAI;

beforeAll(async () => {
  provider = startScriptedProvider();
  const config = `
providers:
  - { id: cut, kind: openai, base_url: "http://127.0.0.1:${await cutting.open(cut)}/v1" }
  - { id: scripted, kind: openai, base_url: "${provider.baseUrl}", api_key: sk-upstream }
models:
  - id: voice
    family: speech
    rate: "0.5"
    unit_price: { unit: character, amount: "0.001" }
    routes: [{ provider: scripted, model: tts-1 }]
  - id: cut-voice
    family: speech
    rate: "1"
    unit_price: { unit: character, amount: "0.001" }
    routes: [{ provider: cut, model: tts-1 }]
  - id: rare-voice
    family: speech
    rate: "1"
    unit_price: { unit: character, amount: "1" }
    routes: [{ provider: scripted, model: tts-1 }]
`;
  gateway = await serveGateway({ isExpectedFault: isProviderFault, config });
  client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
});
afterAll(async () => {
  await gateway.close();
  await provider.stop();
  cutting.close();
});

const model = "sandbox-speech";
const balance = () => gateway.admin<{ available: string; held: string }>("GET", "/organization/balance");
const available = async () => (await balance()).available;
const ask = (body: object, headers: Record<string, string> = {}) =>
  fetchWithKey(`${gateway.baseUrl}/audio/speech`, { key: gateway.key, body, headers });
const refused = (body: object, key = gateway.key) =>
  send(`${gateway.baseUrl}/audio/speech`, { method: "POST", key, body });
const voiced = { model: "voice", voice: "alloy", input: "ten letter" };
async function settled() {
  await untilNothingIsHeld(gateway);
  return Number((await balance()).available);
}

describe("the sandbox's speech through the official SDK", () => {
  test.each([
    ["mp3", "audio/mpeg"],
    ["wav", "audio/wav"],
    ["pcm", "audio/pcm"],
  ] as const)("is a real file, the same each time, and costs its characters: %s", async (format, type) => {
    const speak = () =>
      client.audio.speech.create({
        model,
        voice: "alloy",
        input: "Good day, 世界! 🎵",
        response_format: format,
      });
    const before = Number(await available());
    const [reply, again] = [await speak(), await speak()];
    const [bytes, same] = [await reply.bytes(), await again.bytes()];
    expect(reply.headers.get("content-type")).toBe(type);
    expect(reply.headers.has("x-ratelimit-remaining-requests")).toBe(true);
    expect(Bun.hash(same)).toBe(Bun.hash(bytes));
    if (format === "wav") expect(Buffer.from(bytes).readUInt32LE(4)).toBe(bytes.length - 8);
    if (format === "mp3") expect([bytes[0], (bytes[1] ?? 0) & 0xe0]).toEqual([0xff, 0xe0]);
    // Twice 15 characters at 0.00001 and a rate of 0.5.
    expect(before - Number(await available())).toBeCloseTo(30 * 0.00001 * 0.5, 9);
    const request = { units: "15.00", unit: "character", prompt_tokens: 0 };
    expect(await readReceipt(gateway, reply.headers.get("x-request-id"))).toMatchObject({
      request,
      client: { endpoint: "audio/speech" },
    });
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("comes as events too, which hold the same audio", async () => {
    const asked = { model, voice: "alloy", input: "events", response_format: "pcm" } as const;
    const whole = await (await client.audio.speech.create(asked)).bytes();
    const reply = await client.audio.speech.create({ ...asked, stream_format: "sse" });
    expect(reply.headers.get("content-type")).toBe("text/event-stream");
    const events = (await reply.text())
      .split("\n\n")
      .filter(Boolean)
      .map((event) => JSON.parse(event.slice("data: ".length)) as { type: string; audio?: string });
    const audio = events.flatMap((event) => (event.audio ? [Buffer.from(event.audio, "base64")] : []));
    expect(Buffer.concat(audio).equals(Buffer.from(whole))).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: "speech.audio.done" });
  });

  test("comes once for an idempotency key, and is charged once", async () => {
    const headers = { "idempotency-key": "speak" };
    const body = { model, voice: "alloy", input: "once", response_format: "wav" };
    const first = await (await ask(body, headers)).bytes();
    const before = await available();
    const again = await ask(body, headers);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.headers.get("content-type")).toBe("audio/wav");
    expect([Bun.hash(await again.bytes()), await available()]).toEqual([Bun.hash(first), before]);
    expect((await ask({ ...body, input: "other" }, headers)).status).toBe(409);
  });
});

describe("a provider's speech", () => {
  test("is passed on while it is made, and charged by its characters before it ends", async () => {
    const rest = Promise.withResolvers<void>();
    provider.answerWith(() => streamChunks(["first", rest.promise, " second"], "audio/mpeg"));
    const before = await settled();
    const reply = await ask({ ...voiced, instructions: "slow" });
    const reader = reply.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("first");
    expect(Number((await balance()).held)).toBeGreaterThan(0);
    rest.resolve();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(" second");
    expect((await reader?.read())?.done).toBe(true);
    // 14 characters, with those of the instructions, at 0.001 and a rate of 0.5.
    expect(before - Number(await available())).toBeCloseTo(0.007, 9);
    const visit = provider.visits.at(-1);
    expect([visit?.path, JSON.parse(visit?.body ?? "")]).toEqual([
      "/v1/audio/speech",
      { ...voiced, instructions: "slow", model: "tts-1" },
    ]);
  });

  test.each([
    ["another type", () => Response.json({ audio: "none" })],
    ["no bytes", () => new Response("", { headers: { "content-type": "audio/mpeg" } })],
    ["a fault", () => new Response("no", { status: 500 })],
  ])("that is %s costs nothing", async (_, script) => {
    provider.answerWith(script);
    const before = await settled();
    expect(await refused(voiced)).toMatchObject({ status: 502, error: { code: "provider_error" } });
    expect(await settled()).toBe(before);
  });

  test("that is cut off ends in an error for its client, and costs nothing", async () => {
    const before = await settled();
    await expect(ask({ ...voiced, model: "cut-voice" }).then((reply) => reply.bytes())).rejects.toThrow();
    expect(await settled()).toBe(before);
  });

  test("whose client leaves is stopped, and charged", async () => {
    const before = await settled();
    provider.answerWith(() => streamChunks(["begun", new Promise<void>(() => {})], "audio/mpeg"));
    const left = new AbortController();
    const reply = await fetchWithKey(`${gateway.baseUrl}/audio/speech`, {
      key: gateway.key,
      body: voiced,
      signal: left.signal,
    });
    await reply.body?.getReader().read();
    left.abort();
    await provider.visits.at(-1)?.aborted;
    expect(before - (await settled())).toBeCloseTo(0.005, 9);
  });

  test("is refused where the balance doesn't cover its characters, and nothing is sent", async () => {
    const visits = provider.visits.length;
    expect(await refused({ ...voiced, model: "rare-voice" })).toMatchObject({
      status: 402,
      error: { type: "insufficient_balance" },
    });
    expect(provider.visits).toHaveLength(visits);
  });
});

describe("a request for speech is refused", () => {
  test.each([
    [{ model, voice: "alloy" }, "input"],
    [{ model, voice: "alloy", input: "" }, "input"],
    [{ model, voice: "alloy", input: "x".repeat(4_097) }, "input"],
    [{ model, input: "x" }, "voice"],
    [{ model, voice: "alloy", input: "x", speed: 5 }, "speed"],
    [{ model, voice: "alloy", input: "x", response_format: "mid" }, "response_format"],
    [{ model: "sandbox-echo", voice: "alloy", input: "x" }, "model"],
    [{ model: "sandbox-transcribe", voice: "alloy", input: "x" }, "model"],
  ])("by its field (%#)", async (body, param) => {
    expect(await refused(body)).toMatchObject({ status: 400, error: { param } });
  });

  test("by a key of other endpoints", async () => {
    const keys = `/organization/projects/${gateway.projectId}/api_keys`;
    const createKey = (endpoints: string[]) =>
      gateway.admin<{ value: string }>("POST", keys, { name: endpoints.join(), endpoints });
    const body = { model, voice: "alloy", input: "x", response_format: "pcm" };
    const other = await createKey(["images"]);
    expect(await refused(body, other.value)).toMatchObject({
      status: 403,
      error: { code: "outside_key_scope" },
    });
    const { value } = await createKey(["audio"]);
    expect((await fetchWithKey(`${gateway.baseUrl}/audio/speech`, { key: value, body })).status).toBe(200);
  });
});

describe("a stream that tells that its provider failed costs nothing, and tells the caller", () => {
  const delta = `data: ${JSON.stringify({ type: "speech.audio.delta", audio: "AAAA" })}\n\n`;
  const error = `data: ${JSON.stringify({ error: { message: "No voice for sk-upstream", code: "oops" } })}`;
  test.each([
    ["at its start", [`${error}\n\n`]],
    ["after speech", [delta, `${error}\n\n`]],
    ["in one piece with speech", [`${delta}${error}\n\n`]],
    ["without an empty line", [delta, `${error}\n`]],
  ])("%s", async (_place, chunks) => {
    provider.answerWith(() => streamChunks(chunks));
    const before = await settled();
    const text = await (await ask({ ...voiced, stream_format: "sse" })).text();
    expect(text).toContain('"code":"provider_error"');
    expect(text.startsWith(delta)).toBe(chunks[0]?.startsWith(delta) ?? false);
    expect(await settled()).toBe(before);
  });

  test("and another's words of an error are only speech", async () => {
    provider.answerWith(() =>
      streamChunks([delta, `data: {"type":"note","text":"\\"error\\"","error":null}\n\n`]),
    );
    const before = await settled();
    await (await ask({ ...voiced, stream_format: "sse" })).text();
    expect(await settled()).toBeLessThan(before);
  });
});
