/** A provider that costs next to nothing: fixed bytes, whole or as fifty chunks. A program of its own; tells its parent where it listens. */
const usage = { prompt_tokens: 20, completion_tokens: 50, total_tokens: 70 };
const head = { id: "chatcmpl-bench", created: 1_800_000_000, model: "bench" };
const text = "It was a bright cold day in April, and the clocks were striking thirteen. ";

const whole = JSON.stringify({
  ...head,
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: text.repeat(3) }, finish_reason: "stop" }],
  usage,
});
const chunkOf = (fields: object) =>
  Buffer.from(`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...fields })}\n\n`);
const word = chunkOf({
  choices: [{ index: 0, delta: { content: "word " }, finish_reason: null }],
  usage: null,
});
const chunks = [
  ...Array<Buffer>(50).fill(word),
  chunkOf({ choices: [], usage }),
  Buffer.from("data: [DONE]\n\n"),
];

const json = { headers: { "content-type": "application/json" } };
const events = { headers: { "content-type": "text/event-stream" } };

function streamed(): Response {
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // As a model writes: each chunk is sent before the next is there.
      await new Promise(setImmediate);
      const chunk = chunks[next++];
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
  });
  return new Response(body, events);
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    const body = await request.text();
    return body.includes('"stream":true') ? streamed() : new Response(whole, json);
  },
});

process.send?.({ type: "ready", url: server.url.origin });
