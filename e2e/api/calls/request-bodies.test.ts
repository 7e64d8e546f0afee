import { afterEach, beforeEach, expect, test } from "bun:test";
import OpenAI, { toFile } from "openai";
import { MAX_KEPT_BYTES } from "@/lib/contract/operations/calls/request-bodies";
import { encodeWav } from "@/lib/gateway/providers/sandbox-media/create-picture-random";
import { CANARY, serveBodyStoringGateway } from "../../support/gateways/serve-body-storing-gateway";
import {
  chatCompletion,
  chunkEvent,
  DONE,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";
import { readStored } from "../../support/stored-data/query-database";

/** The log line for a stream that breaks off. */
const BROKEN_OFF = "Its stream ended without a finish reason and without [DONE]";
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

let served: Awaited<ReturnType<typeof serveBodyStoringGateway>>;

beforeEach(async () => {
  served = await serveBodyStoringGateway({ isExpectedFault: (fault) => fault === BROKEN_OFF });
  served.provider.answerWith(({ body }) =>
    JSON.parse(body).stream
      ? streamChunks([
          chunkEvent({ role: "assistant", content: "Card 4111 11" }),
          chunkEvent({ content: "11 1111 1111, " }),
          chunkEvent({ content: CANARY }),
          usageEvent(usage),
          DONE,
        ])
      : Response.json(chatCompletion(CANARY, usage)),
  );
});

afterEach(async () => {
  expect(await findDoctorFaults(served.gateway)).toEqual([]);
  await served.close();
});

test.each([false, true])(
  "request and answer are kept whole, sealed on disk, each reading audited, streamed: %p",
  async (stream) => {
    await served.keep("whole");
    const id = await served.call({ stream, temperature: 0.2 });
    const { request, reply, redacted } = await served.read(id);
    expect(JSON.parse(request.text ?? "")).toEqual({
      model: "fake",
      messages: served.messages,
      stream,
      temperature: 0.2,
    });
    const answer = JSON.parse(reply?.text ?? "");
    expect(answer.choices[0].message.content).toEndWith(CANARY);
    // A stream has usage only if its caller requests it.
    expect(answer.usage).toEqual(stream ? undefined : usage);
    expect([request.is_cut, reply?.is_cut, redacted]).toEqual([false, false, 0]);
    expect(await readStored(served.gateway)).not.toContain(CANARY);
    await served.gateway.restart();
    await served.read(id);
    expect(await served.readings()).toEqual([id, id]);
  },
);

test("metadata has parameters, tools, roles and sizes, and not one word of the text", async () => {
  await served.keep("metadata");
  const tools = [{ type: "function", function: { name: "find_weather", description: CANARY } }];
  const image = [
    { type: "text", text: "äh" },
    { type: "image_url", image_url: { url: "https://example.com/a.png" } },
  ];
  const id = await served.call({
    temperature: 0.5,
    tools,
    user: CANARY,
    messages: [{ role: "system", content: "Be kind." }, ...served.messages, { role: "user", content: image }],
  });
  const { state, metadata } = await served.kept(id);
  expect(state).toBe("metadata");
  expect(metadata).toMatchObject({
    parameters: { temperature: 0.5 },
    tools: ["find_weather"],
    messages: [
      { role: "system", messages: 1, bytes: 8, parts: [] },
      { role: "user", messages: 2, bytes: 6 + CANARY.length + 3, parts: ["image_url"] },
    ],
    choices: 1,
    finish_reasons: ["stop"],
  });
  expect(JSON.stringify(metadata)).not.toContain(CANARY);
  expect((await served.ask(`/requests/${id}/body`)).error).toMatchObject({ code: "body_not_kept" });
});

test("patterns redact texts, keys and numbers, also across two events of a stream", async () => {
  await served.keep("whole", { redactions: ["(?:\\d[ -]?){13,16}", "(?i)kind\\w*"] });
  const id = await served.call({
    stream: true,
    metadata: { kindred: "x", card: 4111111111111111 },
    messages: [{ role: "user", content: "My key gk_live_0123456789abcdefghij and 4111-1111-1111-1111" }],
  });
  const { request, reply, redacted } = await served.read(id);
  expect(JSON.parse(request.text ?? "")).toMatchObject({
    metadata: { "[redacted]": "x", card: "[redacted]" },
    messages: [{ role: "user", content: "My key gk_live_*** and [redacted]" }],
  });
  const { content } = JSON.parse(reply?.text ?? "").choices[0].message;
  expect(content).toBe(`Card [redacted], ${CANARY}`);
  expect(redacted).toBe(4);
});

test("cuts and marks a body beyond the bound, and drops a text that patterns can't read", async () => {
  await served.keep("whole");
  const long = { messages: [{ role: "user", content: "x".repeat(MAX_KEPT_BYTES) }] };
  const counted = { prompt_tokens: 600, completion_tokens: 9 };
  served.provider.answerWith(() => Response.json(chatCompletion(CANARY, counted)));
  const first = await served.read(await served.call(long));
  expect([first.request.is_cut, first.request.text?.length]).toEqual([true, MAX_KEPT_BYTES]);
  await served.keep("whole", { redactions: ["x{5}"] });
  const second = await served.read(await served.call(long));
  expect(second.request).toEqual({ text: null, is_cut: true });
  expect(second.reply?.text).toContain(CANARY);
});

test("a repeat is not a separate call: its body is not stored", async () => {
  await served.keep("whole");
  const headers = { "idempotency-key": "once" };
  const first = await served.call({}, headers);
  const repeat = await served.call({}, headers);
  await served.gateway.restart();
  await served.read(first);
  expect((await served.ask(`/requests/${repeat}/body`)).error).toMatchObject({ code: "object_not_found" });
  expect(await served.countBodies()).toBe(1);
});

test("the received part of a broken stream is stored with its error", async () => {
  await served.keep("whole");
  served.provider.answerWith(() => streamChunks([chunkEvent({ content: "Half " })]));
  const answer = JSON.parse((await served.read(await served.call({ stream: true }))).reply?.text ?? "");
  expect(answer.choices[0].message.content).toBe("Half ");
  expect(answer.error).toMatchObject({ code: "provider_error" });
});

test("a request in Anthropic's format is stored unchanged, its answer as the original chat completion", async () => {
  await served.keep("whole");
  const fields = { system: "Be kind.", max_tokens: 5 };
  const id = await served.call(fields, { "anthropic-version": "2023-06-01" }, "/messages");
  const { request, reply } = await served.read(id);
  expect(JSON.parse(request.text ?? "")).toMatchObject(fields);
  expect(JSON.parse(reply?.text ?? "").choices[0].message.content).toBe(CANARY);
  expect((await served.kept(id)).metadata?.messages[0]).toMatchObject({ role: "system", bytes: 8 });
});

test.each([false, true])("a transcript is kept, its recording isn't, streamed: %p", async (stream) => {
  const { gateway, provider } = served;
  await served.keep("whole");
  await gateway.admin("POST", "/organization/models", {
    id: "ear",
    family: "transcription",
    rate: "1",
    price: { input_per_1m: "2.50", output_per_1m: "10.00" },
    routes: [{ provider: "fake", model: "gpt-4o-transcribe" }],
  });
  const transcript = { text: CANARY, usage: { type: "tokens", input_tokens: 9, output_tokens: 3 } };
  provider.answerWith(() =>
    stream
      ? streamChunks([
          `data: ${JSON.stringify({ type: "transcript.text.delta", delta: CANARY })}\n\n`,
          `data: ${JSON.stringify({ type: "transcript.text.done", ...transcript })}\n\n`,
        ])
      : Response.json(transcript),
  );
  const openai = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
  const file = await toFile(encodeWav(new Int16Array(8_000), 8_000), "talk.wav", { type: "audio/wav" });
  const reply = await openai.audio.transcriptions.create({ model: "ear", file, stream }).asResponse();
  await reply.text();
  const { request, reply: stored } = await served.read(reply.headers.get("x-request-id") ?? "");
  expect(JSON.parse(stored?.text ?? "")).toEqual(transcript);
  expect(request.text).toContain("talk.wav");
});
