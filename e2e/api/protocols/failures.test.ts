import { describe, expect, test } from "bun:test";
import { createAnthropicClient } from "../../support/clients/anthropic-client";
import { listCharges, untilNothingIsHeld } from "../../support/clients/list-charges";
import { officialClient } from "../../support/clients/official-client";
import { type Protocols, type ProviderName, serveProtocols } from "../../support/protocols/serve-protocols";
import { writeAnthropicEvent } from "../../support/servers/anthropic-server";
import { chunkEvent, DONE, streamChunks } from "../../support/servers/scripted-provider";

let served: Protocols;
serveProtocols((protocols) => {
  served = protocols;
});

const providers = ["openai", "anthropic"] as const;
const clients = ["chat", "messages"] as const;
type Client = (typeof clients)[number];
type Refusal = { status?: number; error?: { type?: string; error?: { type?: string } } };

const messages = [{ role: "user" as const, content: "Hi" }];

/** What a client gets of a call: the text until its end, and the error that ended it; null for none. */
async function ask(client: Client, model: ProviderName, isStream: boolean) {
  let text = "";
  let error: Refusal | null = null;
  try {
    if (client === "chat") {
      const { completions } = officialClient(served.gateway.baseUrl, served.gateway.key).chat;
      if (isStream) {
        for await (const { choices } of await completions.create({ model, messages, stream: true }))
          text += choices[0]?.delta.content ?? "";
      } else text = (await completions.create({ model, messages })).choices[0]?.message.content ?? "";
    } else {
      const { messages: api } = createAnthropicClient(served.gateway);
      const body = { model, messages, max_tokens: 100 };
      if (isStream) {
        const stream = api.stream(body).on("text", (piece) => {
          text += piece;
        });
        await stream.done();
      } else {
        const [block] = (await api.create(body)).content;
        text = block?.type === "text" ? block.text : "";
      }
    }
  } catch (thrown) {
    error = thrown as Refusal;
  }
  return { text, error, type: error?.error?.error?.type ?? error?.error?.type };
}

/** An error as each provider tells it. */
function refuse(model: ProviderName, status: number, message: string, type: string): () => Response {
  const error = { type, message };
  return () => Response.json(model === "anthropic" ? { type: "error", error } : { error }, { status });
}

const kinds: readonly [number, string, string, number, Record<Client, string>][] = [
  [
    400,
    "invalid_request_error",
    "bad field",
    400,
    { chat: "invalid_request_error", messages: "invalid_request_error" },
  ],
  [401, "authentication_error", "wrong key", 502, { chat: "service_error", messages: "api_error" }],
  [
    413,
    "request_too_large",
    "too large",
    400,
    { chat: "invalid_request_error", messages: "invalid_request_error" },
  ],
  [429, "rate_limit_error", "later", 429, { chat: "rate_limit_error", messages: "rate_limit_error" }],
  [500, "api_error", "oops", 502, { chat: "service_error", messages: "api_error" }],
  [529, "overloaded_error", "overloaded", 502, { chat: "service_error", messages: "api_error" }],
];

/** The beginning of a stream with one text, and ends of it. */
const streams = {
  openai: {
    begun: [chunkEvent({ role: "assistant", content: "" }), chunkEvent({ content: "Hello" })],
    error: 'data: {"error":{"message":"overloaded","type":"server_error"}}\n\n',
    odd: [
      ": a comment\n\n",
      'data: {"id":"c1","object":"chat.completion.chunk","choices":[],"next_month":true}\n\n',
      chunkEvent({ next_month: "?" }),
      chunkEvent({}, { choices: [{ index: 0, delta: {}, finish_reason: "next_month" }] }),
      DONE,
    ],
  },
  anthropic: {
    begun: [
      writeAnthropicEvent("message_start", {
        message: {
          id: "m",
          type: "message",
          role: "assistant",
          model: "x",
          content: [],
          usage: { input_tokens: 9, output_tokens: 1 },
        },
      }),
      writeAnthropicEvent("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      writeAnthropicEvent("content_block_delta", { index: 0, delta: { type: "text_delta", text: "Hello" } }),
    ],
    error: writeAnthropicEvent("error", { error: { type: "overloaded_error", message: "overloaded" } }),
    odd: [
      ": a comment\n\n",
      writeAnthropicEvent("next_month", { index: 0 }),
      writeAnthropicEvent("content_block_stop", { index: 0 }),
      // Some servers tell all of the usage at the end, and null for what they have none of.
      writeAnthropicEvent("message_delta", {
        delta: { stop_reason: "next_month", stop_sequence: null },
        usage: { input_tokens: 9, cache_read_input_tokens: null, output_tokens: 1 },
      }),
      writeAnthropicEvent("message_stop", {}),
    ],
  },
} as const;

describe.each(providers)("%s", (provider) => {
  describe.each(clients)("asked in %s", (client) => {
    test.each(kinds)(
      "%i %s is told in the client's form, and costs nothing",
      async (status, type, words, told, types) => {
        served.answerWith(provider, refuse(provider, status, words, type));
        const before = (await listCharges(served.gateway)).length;
        for (const isStream of [false, true]) {
          const failed = await ask(client, provider, isStream);
          expect([failed.error?.status, failed.type]).toEqual([told, types[client]]);
        }
        expect((await listCharges(served.gateway)).length).toBe(before);
        await untilNothingIsHeld(served.gateway);
      },
    );

    test.each([
      ["is cut off", [] as string[]],
      ["tells an error", [streams[provider].error]],
    ])("a stream that %s ends in an error, after its text, and is charged for that", async (_, end) => {
      served.answerWith(provider, () => streamChunks([...streams[provider].begun, ...end]));
      const before = (await listCharges(served.gateway)).length;
      const { text, error } = await ask(client, provider, true);
      expect([text, error]).toEqual(["Hello", expect.any(Error)]);
      await untilNothingIsHeld(served.gateway);
      expect((await listCharges(served.gateway)).length).toBe(before + 1);
    });

    test("a stream with events and reasons of next month is whole", async () => {
      served.answerWith(provider, () => streamChunks([...streams[provider].begun, ...streams[provider].odd]));
      expect(await ask(client, provider, true)).toMatchObject({ text: "Hello", error: null });
      await untilNothingIsHeld(served.gateway);
    });

    test("a client that leaves ends the stream at the provider, and pays for what came", async () => {
      const never = new Promise<void>(() => {});
      served.answerWith(provider, () => streamChunks([...streams[provider].begun, never]));
      const before = (await listCharges(served.gateway)).length;
      const leaving = new AbortController();
      const path = client === "chat" ? "chat/completions" : "messages";
      const reply = await fetch(`${served.gateway.baseUrl}/${path}`, {
        method: "POST",
        signal: leaving.signal,
        headers: { "x-api-key": served.gateway.key, "content-type": "application/json" },
        body: JSON.stringify({ model: provider, messages, max_tokens: 100, stream: true }),
      });
      const reader = reply.body?.getReader();
      for (let read = ""; !read.includes("Hello"); )
        read += new TextDecoder().decode((await reader?.read())?.value);
      leaving.abort();
      await untilNothingIsHeld(served.gateway);
      expect((await listCharges(served.gateway)).length).toBe(before + 1);
    });

    test("a whole answer where a stream was asked for becomes one", async () => {
      const whole =
        provider === "openai"
          ? {
              choices: [
                { index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" },
              ],
            }
          : {
              id: "m",
              type: "message",
              role: "assistant",
              model: "x",
              content: [{ type: "text", text: "Hello" }],
              stop_reason: "end_turn",
              usage: { input_tokens: 9, output_tokens: 1 },
            };
      served.answerWith(provider, () => Response.json(whole));
      expect(await ask(client, provider, true)).toMatchObject({ text: "Hello", error: null });
    });
  });
});
