/** The least a proxy can do in Bun, and what the gateway is measured against: no key, no limit, no money. */
const upstream = `${process.env.UPSTREAM}/v1/chat/completions`;

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    const body = await request.arrayBuffer();
    const headers = { "content-type": "application/json", authorization: "Bearer bench" };
    const reply = await fetch(upstream, { method: "POST", headers, body, signal: request.signal });
    const type = reply.headers.get("content-type") ?? "application/json";
    return new Response(reply.body, { status: reply.status, headers: { "content-type": type } });
  },
});

process.send?.({ type: "ready", url: server.url.origin });
