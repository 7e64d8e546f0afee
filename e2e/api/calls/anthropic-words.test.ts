import { expect, test } from "bun:test";
import type { Anthropic } from "@anthropic-ai/sdk";
import { createAnthropicClient, echoMessage } from "../../support/clients/anthropic-client";
import { serveScriptedForEach } from "../../support/gateways/serve-scripted";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let client: Anthropic;

serveScriptedForEach((served) => {
  provider = served.provider;
  client = createAnthropicClient(served.gateway);
});

const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };
const request = {
  ...echoMessage("Hello"),
  model: "fake",
  thinking: { type: "adaptive" as const },
};

/** The message of an answer that consists of these fields, whole and streamed. */
async function ask(fields: object): Promise<Anthropic.Message[]> {
  const choice = { index: 0, message: { role: "assistant", ...fields }, finish_reason: "stop" };
  provider.answerWith(({ body }) =>
    JSON.parse(body).stream
      ? streamChunks([chunkEvent(fields), usageEvent(usage), DONE])
      : Response.json({ model: "x", choices: [choice], usage }),
  );
  return [await client.messages.create(request), await client.messages.stream(request).finalMessage()];
}

test("content that a server writes in parts is text and thinking", async () => {
  const thinking = [{ type: "text", text: "Hm." }];
  const content = [
    { type: "thinking", thinking },
    { type: "text", text: "Hi" },
  ];
  for (const message of await ask({ content })) {
    expect(message.content).toMatchObject([
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "Hi" },
    ]);
    expect(message.stop_reason).toBe("end_turn");
  }
});

test("a refusal of a structured output has its words, and is told as one", async () => {
  for (const message of await ask({ content: null, refusal: "I can't help with that." })) {
    expect(message.content).toMatchObject([{ type: "text", text: "I can't help with that." }]);
    expect(message.stop_reason).toBe("refusal");
  }
});
