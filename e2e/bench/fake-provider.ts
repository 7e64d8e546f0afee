/** A provider program that costs next to nothing: it sends fixed bytes, whole or as a stream of fifty words. */

import { selfSigned } from "../support/servers/self-signed";

/** What the fake provider counts of its streams. It replies with this to each message of its parent. */
export interface StreamCount {
  /** Streams that were canceled before their end. */
  readonly canceled: number;
  /** Words written to streams that were canceled. */
  readonly wordsOfCanceled: number;
  /** Bytes handed over of endless streams. */
  readonly floodedBytes: number;
}

const usage = { prompt_tokens: 20, completion_tokens: 50, total_tokens: 70 };
const head = { id: "chatcmpl-bench", created: 1_800_000_000, model: "bench" };
const text = "It was a bright cold day in April, and the clocks were striking thirteen. ";

const whole = JSON.stringify({
  ...head,
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: text.repeat(3) }, finish_reason: "stop" }],
  usage,
});
const buildChunk = (fields: object) =>
  Buffer.from(`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...fields })}\n\n`);
/** Four bytes of text, which is one token by any count. */
const word = buildChunk({
  choices: [{ index: 0, delta: { content: "word" }, finish_reason: null }],
  usage: null,
});
const chunks = [
  ...Array<Buffer>(50).fill(word),
  buildChunk({ choices: [], usage }),
  Buffer.from("data: [DONE]\n\n"),
];
const flood = Buffer.concat(Array<Buffer>(256).fill(word));

const json = { headers: { "content-type": "application/json" } };
const events = { headers: { "content-type": "text/event-stream" } };
const count = { canceled: 0, wordsOfCanceled: 0, floodedBytes: 0 };

/** Sends each chunk before the next one is ready, as a model does. */
const turn = () => new Promise(setImmediate);
/** The wait before each chunk, by the word in brackets in the prompt. */
const pauses: Readonly<Record<string, (written: number) => Promise<unknown>>> = {
  "[slow]": () => Bun.sleep(20),
  "[silent]": (written) => (written === 1 ? Bun.sleep(14_000) : Promise.resolve()),
};

function streamed(pause: (written: number) => Promise<unknown>): Response {
  let written = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await pause(written);
      const chunk = chunks[written++];
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
    cancel() {
      count.canceled++;
      count.wordsOfCanceled += written;
    },
  });
  return new Response(body, events);
}

/** Sends as much as the client reads, for as long as it reads. */
function endless(): Response {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await turn();
      count.floodedBytes += flood.byteLength;
      controller.enqueue(flood);
    },
    cancel: () => void count.canceled++,
  });
  return new Response(body, events);
}

const listening = {
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request: Request) {
    const body = await request.text();
    if (!body.includes('"stream":true')) {
      if (body.includes("[thoughtful]")) await Bun.sleep(50);
      return new Response(whole, json);
    }
    const [manner = ""] = /\[[a-z]+\]/.exec(body) ?? [];
    if (manner === "[endless]") return endless();
    return streamed(pauses[manner] ?? turn);
  },
};
const server = Bun.serve(listening);
/** The same server over TLS, with a certificate for `localhost`. */
const secure = Bun.serve({ ...listening, tls: selfSigned });

process.on("message", () => process.send?.(count satisfies StreamCount));
process.send?.({
  type: "ready",
  url: server.url.origin,
  secureUrl: `https://localhost:${secure.port}`,
});
