/**
 * The baseline that the gateway is compared with: the least that a proxy in Bun can do, without keys, limits or money.
 * With `ITERATES` it reads the reply piece by piece, as a proxy that inspects replies has to.
 */
const upstream = `${process.env.UPSTREAM}/v1/chat/completions`;
const iterates = process.env.ITERATES === "1";

/** Bun accepts an async generator as a body, which the DOM's types don't allow. */
function streamPieces(body: ReadableStream<Uint8Array>): ReadableStream {
  const pieces = async function* () {
    for await (const piece of body) yield piece;
  };
  return pieces() as unknown as ReadableStream;
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    const body = await request.arrayBuffer();
    const headers = { "content-type": "application/json", authorization: "Bearer bench" };
    const reply = await fetch(upstream, { method: "POST", headers, body, signal: request.signal });
    const type = reply.headers.get("content-type") ?? "application/json";
    const passed = iterates && reply.body ? streamPieces(reply.body) : reply.body;
    return new Response(passed, { status: reply.status, headers: { "content-type": type } });
  },
});

process.send?.({ type: "ready", url: server.url.origin });
