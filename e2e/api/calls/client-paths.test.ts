import { expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI, { AzureOpenAI, toFile } from "openai";
import { encodeWav } from "@/lib/gateway/providers/sandbox-media/create-picture-random";
import { catchRefusal } from "../../support/clients/official-client";
import { fetchWithKey, send } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
serveForAll((served) => {
  gateway = served;
});

const origin = () => new URL(gateway.baseUrl).origin;
const hello = [{ role: "user" as const, content: "Hello" }];
const azure = (deployment?: string) =>
  new AzureOpenAI({
    endpoint: origin(),
    apiKey: gateway.key,
    apiVersion: "2024-10-21",
    maxRetries: 0,
    ...(deployment && { deployment }),
  });

test("OpenAI's and Anthropic's clients work with a prefix before /v1", async () => {
  const openai = new OpenAI({ baseURL: `${origin()}/openai/v1`, apiKey: gateway.key, maxRetries: 0 });
  const completion = await openai.chat.completions.create({ model: "sandbox-echo", messages: hello });
  expect(completion.choices[0]?.message.content).toBe("Hello");
  expect((await openai.models.list()).data.map(({ id }) => id)).toContain("sandbox-echo");
  const anthropic = new Anthropic({ baseURL: `${origin()}/anthropic`, apiKey: gateway.key, maxRetries: 0 });
  const message = { model: "sandbox-echo", max_tokens: 100, messages: hello };
  expect((await anthropic.messages.create(message)).content).toMatchObject([{ type: "text", text: "Hello" }]);
  expect((await anthropic.beta.models.list()).data.map(({ id }) => id)).toContain("sandbox-echo");
});

test("Azure's client calls a model that its path names, with the key in its own header", async () => {
  const client = azure();
  const completion = await client.chat.completions.create({ model: "sandbox-echo", messages: hello });
  expect([completion.model, completion.choices[0]?.message.content]).toEqual(["sandbox-echo", "Hello"]);
  const words: string[] = [];
  const stream = await client.chat.completions.create({
    model: "sandbox-echo",
    messages: hello,
    stream: true,
  });
  for await (const chunk of stream) words.push(chunk.choices[0]?.delta.content ?? "");
  expect(words.join("")).toBe("Hello");
  const embedding = await client.embeddings.create({ model: "sandbox-embedding", input: "Hello" });
  expect(embedding.data).toHaveLength(1);
  const file = await toFile(encodeWav(new Int16Array(8_000), 8_000), "talk.wav", { type: "audio/wav" });
  const transcription = await client.audio.transcriptions.create({ model: "sandbox-transcribe", file });
  expect(transcription.text).not.toBe("");
  expect((await client.models.list()).data.map(({ id }) => id)).toContain("sandbox-echo");
});

test("the path's model counts instead of the body's, also in a long body, a form and a repeat", async () => {
  const client = azure("sandbox-echo");
  const completion = await client.chat.completions.create({ model: "no-such-model", messages: hello });
  expect(completion.model).toBe("sandbox-echo");
  const long = { model: "no-such-model", messages: hello, stop: Array.from({ length: 3_000 }, () => "") };
  const chat = "/openai/deployments/sandbox-echo/chat/completions";
  // The model was found, or this would be a 404: its server reads no body that long.
  expect((await send(origin() + chat, { body: long, key: gateway.key })).error.code).toBe("provider_error");
  const call = (deployment: string) =>
    send(`${origin()}/openai/deployments/${deployment}/chat/completions?api-version=2024-10-21`, {
      body: { messages: hello },
      headers: { "api-key": gateway.key, "idempotency-key": "one" },
    });
  expect((await call("sandbox-echo")).body.model).toBe("sandbox-echo");
  expect((await call("sandbox-echo")).headers.get("idempotency-replayed")).toBe("true");
  expect((await call("sandbox-slow")).error.code).toBe("idempotency_conflict");
  const form = new FormData();
  form.append("file", new Blob([encodeWav(new Int16Array(8_000), 8_000)], { type: "audio/wav" }), "talk.wav");
  const path = "/openai/deployments/sandbox-transcribe/audio/transcriptions?api-version=2024-10-21";
  expect((await send(origin() + path, { body: form, key: gateway.key })).status).toBe(200);
});

test("a deployment's path leads to calls of models alone", async () => {
  const administration = `${origin()}/openai/deployments/sandbox-echo/organization/projects`;
  expect((await send(administration, { key: gateway.adminKey })).status).toBe(404);
  const client = azure("no/such/model");
  const error = await catchRefusal(
    client.chat.completions.create({ model: "sandbox-echo", messages: hello }),
  );
  expect([error.status, error.code]).toEqual([404, "model_not_found"]);
});

test("a key in another header than Authorization is not read where that one is sent", async () => {
  const headers = { "api-key": gateway.key, authorization: "Bearer wrong" };
  expect((await send(`${gateway.baseUrl}/models`, { headers })).status).toBe(401);
});

test("a path of another API says what it is and what to do instead, in that API's form", async () => {
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await fetchWithKey(origin() + path, { key: gateway.key, body: {}, headers });
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };
  const completions =
    "belongs to OpenAI's legacy Completions API, which is not served here: call /v1/chat/completions";
  for (const path of ["/v1/completions", "/completions", "/openai/v1/completions", "/openai/completions"])
    expect(await get(path)).toMatchObject({
      status: 404,
      body: { error: { code: "path_not_found", message: expect.stringContaining(`${path} ${completions}`) } },
    });
  expect(await get("/v1/complete", { "anthropic-version": "2023-06-01" })).toMatchObject({
    status: 404,
    body: { type: "error", error: { type: "not_found_error" } },
  });
  for (const path of ["/v1beta/models/gemini:generateContent", "/v1/models/gemini:generateContent"])
    expect(await get(path)).toMatchObject({
      status: 404,
      body: { error: { code: 404, status: "NOT_FOUND", message: expect.stringContaining("Gemini API") } },
    });
  expect(await get("/api/chat")).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining("Ollama's API") },
  });
});
