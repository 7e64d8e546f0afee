import { describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  streamChunks,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;
let client: OpenAI;

const route = (id: string, model: string) => ({
  id,
  family: "chat",
  rate: "1",
  price: { input_per_1m: "1", output_per_1m: "1" },
  routes: [{ provider: "fake", model }],
});

serveScriptedForAll(
  (scripted) => {
    const fake = { id: "fake", kind: "openai", base_url: scripted.baseUrl, api_key: "provider-secret" };
    const models = [route("fake", "upstream-name"), route("other", "other-name")];
    return JSON.stringify({ providers: [fake], models });
  },
  (served) => {
    ({ provider, gateway } = served);
    client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key });
  },
  { isExpectedFault: isProviderFault },
);

const answerError = (status: number, error: object) =>
  provider.answerWith(() => Response.json({ error }, { status }));

/** The error that the official SDK throws, after its own two retries. */
async function catchFailure(model = "fake"): Promise<InstanceType<typeof OpenAI.APIError>> {
  const request = { model, messages: [{ role: "user" as const, content: "Hello" }] };
  const failure = await client.chat.completions.create(request).catch((error: unknown) => error);
  if (!(failure instanceof OpenAI.APIError)) throw new Error("The call was answered");
  return failure;
}

const misconfigured = async () => {
  const list = await gateway.admin<{
    data: { id: string; misconfigured: { model: string; status: number }[] }[];
  }>("GET", "/organization/providers");
  return list.data.find(({ id }) => id === "fake")?.misconfigured.map(({ model, status }) => [model, status]);
};

test.each([401, 402, 403, 404])(
  "a provider's %d is told once, as a refusal of the gateway",
  async (status) => {
    answerError(status, { message: "Bad key provider-secret", code: "invalid_api_key" });
    const failure = await catchFailure();
    expect([failure.status, failure.type, failure.code]).toEqual([
      502,
      "service_error",
      "provider_misconfigured",
    ]);
    expect(failure.error).toMatchObject({ provider_code: "invalid_api_key" });
    expect(failure.headers?.get("x-should-retry")).toBe("false");
    expect(JSON.stringify(failure.error)).not.toContain("provider-secret");
    expect(provider.visits).toHaveLength(1);
  },
);

test("the providers say how they are set up wrongly, until the same model answers", async () => {
  answerError(401, { message: "no" });
  await catchFailure("fake");
  answerError(404, { message: "no" });
  await catchFailure("other");
  expect(await misconfigured()).toEqual([
    ["upstream-name", 401],
    ["other-name", 404],
  ]);
  provider.answerWith(() => streamChunks([chunkEvent({ content: "Hi" }), DONE]));
  const messages = [{ role: "user" as const, content: "Hello" }];
  for await (const _ of await client.chat.completions.create({ model: "other", messages, stream: true }));
  expect(await misconfigured()).toEqual([["upstream-name", 401]]);
});

test.each(["context_length_exceeded", "content_filter"])(
  "%s reaches the client where it branches",
  async (code) => {
    answerError(400, { message: "No.", code, param: "messages" });
    const failure = await catchFailure();
    expect([failure.status, failure.code, failure.param]).toEqual([400, code, "messages"]);
    expect(failure.error).toMatchObject({ provider_code: code });
  },
);

test("any other code of the provider is added to ours; other text and the provider's key are not", async () => {
  answerError(400, { message: "No provider-secret here.", code: "unsupported_value" });
  const failure = await catchFailure();
  expect(failure.error).toMatchObject({
    code: "provider_error",
    provider_code: "unsupported_value",
    message: "The provider refused: No *** here.",
  });
  answerError(400, { message: "No.", code: "provider-secret" });
  expect((await catchFailure()).error).not.toHaveProperty("provider_code");
  answerError(400, { message: "No.", code: "not a code" });
  expect((await catchFailure()).error).not.toHaveProperty("provider_code");
  answerError(429, { message: "No.", code: "requests_per_minute" });
  const once = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
  const request = { model: "fake", messages: [{ role: "user" as const, content: "Hello" }] };
  const limited = await once.chat.completions.create(request).catch((error: unknown) => error);
  expect(limited).toMatchObject({ status: 429, error: { provider_code: "requests_per_minute" } });
});

test("a prompt that the provider's moderation flags is the caller's fault, with the provider's words", async () => {
  const metadata = { reasons: ["violence"], flagged_input: "Hello", provider_name: "OpenAI" };
  const before = await misconfigured();
  answerError(403, { code: 403, message: "Your input was flagged for violence.", metadata });
  const failure = await catchFailure();
  expect([failure.status, failure.type, failure.code]).toEqual([
    400,
    "invalid_request_error",
    "content_filter",
  ]);
  expect(failure.message).toContain("Your input was flagged for violence.");
  expect(provider.visits).toHaveLength(1);
  expect(await misconfigured()).toEqual(before);
});

test("an account without credit at the provider isn't told as load, and is seen among the providers", async () => {
  answerError(429, { message: "You exceeded your current quota", code: "insufficient_quota" });
  const failure = await catchFailure("other");
  expect([failure.status, failure.code]).toEqual([502, "provider_misconfigured"]);
  expect(failure.message).toContain("has no credit left");
  expect(failure.error).toMatchObject({ provider_code: "insufficient_quota" });
  expect(provider.visits).toHaveLength(1);
  expect(await misconfigured()).toContainEqual(["other-name", 429]);
});

test("Anthropic's client, which waits as long as it is told to, is not told to wait for hours", async () => {
  provider.answerWith(() => new Response(null, { status: 429, headers: { "retry-after": "3600" } }));
  const anthropic = new Anthropic({ baseURL: gateway.baseUrl.replace(/\/v1$/, ""), apiKey: gateway.key });
  const request = { model: "fake", max_tokens: 5, messages: [{ role: "user" as const, content: "Hello" }] };
  const failure = await anthropic.messages.create(request).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Anthropic.RateLimitError);
  expect((failure as InstanceType<typeof Anthropic.APIError>).headers?.get("retry-after")).toBe("3600");
  expect(provider.visits).toHaveLength(1);
});

describe("an error in the middle of a stream", () => {
  const breakWith = (error: object) =>
    provider.answerWith(() =>
      streamChunks([chunkEvent({ content: "Hi" }), `data: ${JSON.stringify({ error })}\n\n`]),
    );

  async function failureInStream(): Promise<unknown> {
    const messages = [{ role: "user" as const, content: "Hello" }];
    const stream = await client.chat.completions.create({ model: "fake", messages, stream: true });
    try {
      for await (const _ of stream);
    } catch (error) {
      return error;
    }
    throw new Error("The stream came to its end");
  }

  test.each(["context_length_exceeded", "content_filter"])(
    "is %s where the client branches",
    async (code) => {
      breakWith({ message: "No provider-secret.", code });
      const failure = await failureInStream();
      const told = { code, type: "invalid_request_error", error: { code, provider_code: code } };
      expect(failure).toMatchObject(told);
      expect(JSON.stringify(failure)).not.toContain("provider-secret");
    },
  );

  test("shows the provider's own code beside ours, but neither its key nor other text", async () => {
    breakWith({ message: "No.", code: "server_overloaded" });
    const coded = { code: "provider_error", provider_code: "server_overloaded" };
    expect(await failureInStream()).toMatchObject({ error: coded });
    for (const code of ["provider-secret", "not a code", 7]) {
      breakWith({ message: "No.", code });
      const failure = await failureInStream();
      expect(failure).toMatchObject({ code: "provider_error" });
      expect(failure).not.toHaveProperty("error.provider_code");
    }
  });

  test("keeps its code in Anthropic's event", async () => {
    breakWith({ message: "No.", code: "content_filter" });
    const reply = await fetch(`${gateway.baseUrl}/messages`, {
      method: "POST",
      headers: { "x-api-key": gateway.key, "anthropic-version": "2023-06-01" },
      body: JSON.stringify({
        model: "fake",
        max_tokens: 9,
        stream: true,
        messages: [{ role: "user", content: "Hi" }],
      }),
    });
    const event = (await reply.text()).split("event: error\ndata: ")[1] ?? "";
    expect(JSON.parse(event)).toMatchObject({
      error: { type: "invalid_request_error", code: "content_filter", provider_code: "content_filter" },
    });
  });
});
