import { expect, test } from "bun:test";
import { KnownResponse, respondWith, respondWithJson } from "../known-response";
import { PulledResponse } from "../pulled-response";
import { recordRequests, settle } from "./testing/recording-server";

const stream = (text: string, headers: Record<string, string> = {}, status = 200) => {
  const source = {
    async pull(sink: { enqueue(bytes: Uint8Array): void; close(): void }) {
      if (text !== "") sink.enqueue(Buffer.from(text));
      text = "";
      sink.close();
    },
    cancel: () => {},
  };
  return new PulledResponse(source, { status, headers });
};

/** What the client gets for one request, without the date. */
async function replyTo(response: Response, line = "GET / HTTP/1.1", more = "") {
  const { receive, socket, faults } = recordRequests(async () => response);
  receive(`${line}\r\nhost: x\r\n${more}\r\n`);
  await settle();
  return { text: socket.written.replace(/date: .* GMT\r\n/, ""), isEnded: socket.isEnded, faults };
}

test.each<[string, () => Response, string]>([
  [
    "a known body",
    () => new KnownResponse([Buffer.from("hi")], { headers: { a: "1" } }),
    "a: 1\r\ncontent-length: 2\r\n\r\nhi",
  ],
  [
    "several pieces",
    () => new KnownResponse([Buffer.from("h"), Buffer.from("i")], { headers: {} }),
    "content-length: 2\r\n\r\nhi",
  ],
  ["an empty body", () => new KnownResponse([], { headers: {} }), "content-length: 0\r\n\r\n"],
  ["a stream", () => stream("hello"), "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"],
  ["an empty stream", () => stream(""), "transfer-encoding: chunked\r\n\r\n0\r\n\r\n"],
  [
    "a stream of known length",
    () => stream("hello", { "content-length": "5" }),
    "content-length: 5\r\n\r\nhello",
  ],
  [
    "a web stream",
    () => new Response(new Blob(["hi"]).stream()),
    "transfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
  ],
  [
    "a web response without a body",
    () => new Response(null, { headers: { a: "1" } }),
    "a: 1\r\ncontent-length: 0\r\n\r\n",
  ],
])("%s", async (_, response, expected) => {
  expect((await replyTo(response())).text).toBe(`HTTP/1.1 200 OK\r\n${expected}`);
});

test("HEAD, 204 and 304 have no body, and HEAD tells the length", async () => {
  const head = await replyTo(respondWith([Buffer.from("hello")], { headers: {} }), "HEAD / HTTP/1.1");
  expect(head.text).toBe("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n");
  const streamedReply = await replyTo(stream("hello"), "HEAD / HTTP/1.1");
  expect(streamedReply.text).toBe("HTTP/1.1 200 OK\r\n\r\n");
  const none = await replyTo(new KnownResponse([], { status: 204, headers: {} }));
  expect(none.text).toBe("HTTP/1.1 204 No Content\r\n\r\n");
  const unchangedReply = await replyTo(stream("hello", {}, 304));
  expect(unchangedReply.text).toBe("HTTP/1.1 304 Not Modified\r\n\r\n");
});

test("a stream to a client of HTTP/1.0 ends with its connection", async () => {
  const { text, isEnded } = await replyTo(stream("hello"), "GET / HTTP/1.0", "connection: keep-alive\r\n");
  expect([text, isEnded]).toEqual(["HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello", true]);
  const keepAliveReply = await replyTo(respondWithJson({}), "GET / HTTP/1.0", "connection: keep-alive\r\n");
  expect(keepAliveReply.text).toContain("connection: keep-alive\r\n");
  expect(keepAliveReply.isEnded).toBe(false);
});

test.each(["4", "6"])("a body of another length than the announced %s breaks off", async (length) => {
  const { text, isEnded, faults } = await replyTo(stream("hello", { "content-length": length }));
  expect(isEnded).toBe(true);
  expect(faults).toHaveLength(1);
  expect(text).not.toContain("hello!");
});

test("a stream that fails breaks off, so that no client takes it for a whole one", async () => {
  const source = {
    async pull() {
      throw new Error("lost");
    },
    cancel: () => {},
  };
  const { text, isEnded, faults } = await replyTo(new PulledResponse(source, { headers: {} }));
  expect([text.endsWith("0\r\n\r\n"), isEnded, faults.length]).toEqual([false, true, 1]);
});

test.each<Record<string, string>>([
  { a: "1\r\nset-cookie: x" },
  { a: "1\nb" },
  { a: "\0" },
  { a: "\u0100" },
  { "a b": "1" },
  { "a\r\nb": "1" },
])("the header %j is not sent", async (headers) => {
  const { text, isEnded, faults } = await replyTo(new KnownResponse([], { headers }));
  expect([text, isEnded, faults.length]).toEqual(["", true, 1]);
});

test("headers that are read or changed before the reply are sent as they are then", async () => {
  const response = respondWithJson({}, { headers: { a: "1", "Content-Type": "text/x" } });
  response.headers.set("b", "2");
  expect(response.headers.get("a")).toBe("1");
  const { text } = await replyTo(response);
  expect(text).toContain("a: 1\r\nb: 2\r\n");
});

test("a body in memory is told when it was taken, however it is read", async () => {
  for (const readBody of [
    replyTo,
    (response: Response) => response.text(),
    (response: Response) => response.body?.cancel(),
  ]) {
    let pullCount = 0;
    const response = respondWith(
      [new Uint8Array(300_000), new Uint8Array(10)],
      { headers: {} },
      () => pullCount++,
    );
    expect(pullCount).toBe(0);
    await readBody(response);
    await settle();
    expect(pullCount).toBe(1);
  }
});

test("the web API's methods read the same body", async () => {
  const make = () => respondWithJson({ a: [1] }, { status: 201 });
  expect([make().status, make().ok, make().headers.get("content-type")]).toEqual([
    201,
    true,
    "application/json;charset=utf-8",
  ]);
  expect(await make().json()).toEqual({ a: [1] });
  expect(await make().text()).toBe('{"a":[1]}');
  expect((await make().arrayBuffer()).byteLength).toBe(9);
  expect(await make().clone().json()).toEqual({ a: [1] });
  expect(await stream("hello").text()).toBe("hello");
});
