import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";

const PAUSE_MS = 40;

/** An OpenAI-compatible server that streams numbered words until the client disconnects. Records its requests. */
export interface WordProvider {
  /** The server's base address, ending in `/v1`. */
  readonly baseUrl: string;
  readonly calls: readonly ProviderRequest[];
  stop(): Promise<void>;
}

interface ProviderRequest {
  /** The request's body, once it has been read. */
  body: { model?: string };
  wordsSent: number;
  /** The client disconnected before the end. */
  isAborted: boolean;
}

/** Starts one on a free port; each answer has `words` words. */
export async function startWordProvider(words: number): Promise<WordProvider> {
  const calls: ProviderRequest[] = [];
  const server = createServer((request, reply) => {
    const call: ProviderRequest = { body: {}, wordsSent: 0, isAborted: false };
    calls.push(call);
    reply.on("close", () => {
      call.isAborted = !reply.writableFinished;
    });
    void json(request).then(
      (body) => Object.assign(call.body, body),
      () => {},
    );
    void streamWords(reply, call, words);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    async stop() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

async function streamWords(reply: ServerResponse, call: ProviderRequest, words: number): Promise<void> {
  const send = (choices: object[], more: object = {}) =>
    reply.write(`data: ${JSON.stringify({ object: "chat.completion.chunk", choices, ...more })}\n\n`);
  reply.writeHead(200, { "content-type": "text/event-stream" });
  while (call.wordsSent < words && !reply.closed) {
    call.wordsSent++;
    send([{ index: 0, delta: { content: `word${call.wordsSent} ` }, finish_reason: null }]);
    await setTimeout(PAUSE_MS);
  }
  if (reply.closed) return;
  send([{ index: 0, delta: {}, finish_reason: "stop" }]);
  send([], { usage: { prompt_tokens: 1, completion_tokens: words, total_tokens: words + 1 } });
  reply.end("data: [DONE]\n\n");
}
