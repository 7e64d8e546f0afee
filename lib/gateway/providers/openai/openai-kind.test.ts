import { afterEach, beforeEach, expect, test } from "bun:test";
import { closed, readReplyText, SocketServer } from "../../http/outbound/testing/socket-server";
import { Secret } from "../../secrets/secret";
import { createOpenaiClient } from "./openai-server";

const call = { requestId: "req_1", endpoint: "chat/completions" as const, body: "{}", stream: false };
let proxy: SocketServer;

beforeEach(() => {
  proxy = new SocketServer();
});
afterEach(() => {
  delete process.env.HTTP_PROXY;
  proxy.close();
});

/** A client behind a proxy that gives this reply to every request. */
async function behindProxy(reply: string | Buffer) {
  const port = await proxy.open((socket) => void socket.write(reply));
  process.env.HTTP_PROXY = `http://127.0.0.1:${port}`;
  const server = { baseUrl: "http://models.invalid/v1", apiKey: new Secret("sk-1"), isTrusted: false };
  const asked = { ...server, auth: "bearer" as const, messagesBaseUrl: null };
  return createOpenaiClient(asked, { nowMs: () => 0 });
}

test("behind a proxy a call goes to the proxy, which finds the provider", async () => {
  const client = await behindProxy("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi");
  const sentRequest = client.send(call);
  expect(await readReplyText(sentRequest)).toBe("hi");
  expect((await sentRequest.reply).contentLength).toBe(2);
  const [request = ""] = proxy.requests;
  expect(request).toStartWith("POST http://models.invalid/v1/chat/completions HTTP/1.1\r\n");
  expect(request.toLowerCase()).toContain("authorization: bearer sk-1\r\n");
});

test("behind a proxy redirects are not followed", async () => {
  const redirecting = await behindProxy(
    "HTTP/1.1 302 Found\r\nlocation: http://models.invalid/\r\ncontent-length: 0\r\n\r\n",
  );
  expect((await redirecting.send(call).reply).status).toBe(302);
  expect(proxy.requests).toHaveLength(1);
});

test("behind a proxy, compressed replies are decompressed", async () => {
  const compressed = Buffer.from(Bun.gzipSync("hello"));
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${compressed.length}\r\n\r\n`;
  const packing = await behindProxy(Buffer.concat([Buffer.from(head), compressed]));
  expect(await readReplyText(packing.send(call))).toBe("hello");
});

test("behind a proxy, a canceled call is aborted", async () => {
  const client = await behindProxy("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhi");
  const request = client.send(call);
  const reply = await request.reply;
  await reply.read();
  request.cancel();
  await closed(proxy.sockets[0]);
  await expect(Promise.resolve(reply.read())).rejects.toThrow("abort");
});
