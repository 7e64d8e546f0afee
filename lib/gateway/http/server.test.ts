import { afterEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { respondWithJson, type StreamController, StreamedResponse } from "./response";
import { type HttpServer, startServer } from "./server";

const open: HttpServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop(true);
});

type Answer = Parameters<typeof startServer>[0]["answer"];

function start(answer: Answer, hostname = "127.0.0.1", port = 0): HttpServer {
  const server = startServer({
    hostname,
    port,
    answer,
    logFault: (_, fault) => {
      throw fault;
    },
  });
  open.push(server);
  return server;
}

/** A connection whose client reads what it is told to. */
async function dial({ port }: HttpServer, isReading = true) {
  const socket = connect({ host: "127.0.0.1", port: port as number, allowHalfOpen: true });
  let text = "";
  let isClosed = false;
  const listeners = new Set<() => void>();
  const change = () => {
    for (const look of listeners) look();
  };
  socket.setEncoding("latin1");
  if (isReading) socket.on("data", (piece) => ((text += piece), change()));
  socket.on("error", () => {});
  socket.on("end", () => socket.end());
  socket.on("close", () => ((isClosed = true), change()));
  await new Promise((resolve) => socket.once("connect", resolve));
  const until = (isSo: () => boolean) =>
    new Promise<string>((resolve) => {
      const look = () => isSo() && resolve(text);
      listeners.add(look);
      look();
    });
  return {
    socket,
    send: (sent: string) => new Promise<void>((resolve) => void socket.write(sent, () => resolve())),
    received: (part: string) => until(() => text.includes(part)),
    closed: () => until(() => isClosed),
  };
}

const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;

/** A stream that says what becomes of its client. */
function startStreaming() {
  const controllerReady = Promise.withResolvers<StreamController>();
  const canceled = Promise.withResolvers<void>();
  const requestReady = Promise.withResolvers<Request>();
  const source = {
    pull: (controller: StreamController) => new Promise<void>(() => controllerReady.resolve(controller)),
    cancel: () => canceled.resolve(),
  };
  const server = start(async (request) => {
    requestReady.resolve(request);
    return new StreamedResponse(source, { headers: { "content-type": "text/event-stream" } });
  });
  return {
    server,
    controllerReady: controllerReady.promise,
    canceled: canceled.promise,
    requestReady: requestReady.promise,
  };
}

describe("a stream", () => {
  test("reaches its client as it comes", async () => {
    const { server, controllerReady } = startStreaming();
    const client = await dial(server);
    await client.send(get("/"));
    const controller = await controllerReady;
    for (const chunk of ["data: 1\n\n", "data: 2\n\n"]) {
      controller.enqueue(Buffer.from(chunk));
      await client.received(chunk);
    }
    client.socket.destroy();
  });

  test("that is silent is canceled when its client leaves", async () => {
    const { server, controllerReady, canceled, requestReady } = startStreaming();
    const client = await dial(server);
    await client.send(get("/"));
    const { signal } = await requestReady;
    await controllerReady;
    client.socket.destroy();
    await canceled;
    expect(signal.aborted).toBe(true);
  });

  test("that begins after its client has left is canceled, and the signal tells of it", async () => {
    const reply = Promise.withResolvers<void>();
    const canceled = Promise.withResolvers<void>();
    const requestReady = Promise.withResolvers<Request>();
    let pulls = 0;
    const source = { pull: () => void pulls++, cancel: () => canceled.resolve() };
    const server = start(async (request) => {
      requestReady.resolve(request);
      await reply.promise;
      return new StreamedResponse(source, { headers: {} });
    });
    const client = await dial(server);
    await client.send(get("/"));
    const { signal } = await requestReady.promise;
    const gone = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    client.socket.destroy();
    await gone;
    reply.resolve();
    await canceled.promise;
    expect(pulls).toBe(0);
  });

  test("that fails breaks off, so that no client takes it for a whole one", async () => {
    const source = {
      async pull(controller: StreamController) {
        controller.enqueue(Buffer.from("part"));
        await new Promise(setImmediate);
        controller.error();
      },
      cancel() {},
    };
    const server = start(async () => new StreamedResponse(source, { headers: {} }));
    const client = await dial(server);
    await client.send(get("/"));
    expect(await client.closed()).not.toContain("0\r\n\r\n");
  });

  test("is made no faster than its client reads, and arrives whole", async () => {
    const piece = new Uint8Array(64 * 1024);
    const pieces = 1_000;
    let made = 0;
    const source = {
      pull(controller: StreamController) {
        if (made++ === pieces) controller.close();
        else controller.enqueue(piece);
      },
      cancel() {},
    };
    const server = start(async () => new StreamedResponse(source, { headers: {} }));
    const client = await dial(server, false);
    client.socket.pause();
    await client.send(get("/", "connection: close\r\n"));
    // It has stalled once nothing was made for many turns of the loop.
    for (let last = -1, still = 0; still < 1_000; await new Promise(setImmediate)) {
      still = made === last && made > 0 ? still + 1 : 0;
      last = made;
    }
    expect(made).toBeLessThan(pieces / 2);
    let bytes = 0;
    client.socket.on("data", (text) => (bytes += text.length));
    client.socket.resume();
    await client.closed();
    expect(bytes).toBeGreaterThan(pieces * piece.byteLength);
  });
});

test("a connection carries one request after the other, until one asks to close it", async () => {
  const server = start(async (request) => respondWithJson({ path: new URL(request.url).pathname }));
  const client = await dial(server);
  await client.send(get("/1"));
  await client.received('"/1"');
  await client.send(get("/2", "connection: close\r\n"));
  expect(await client.closed()).toMatch(/^HTTP\/1.1 200 [^]*"\/1"[^]*HTTP\/1.1 200 [^]*"\/2"/);
});

test("the client of an upload that is refused early gets the refusal while it is still sending", async () => {
  const server = start(async () => respondWithJson({ error: "too large" }, { status: 413 }));
  const client = await dial(server);
  await client.send("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000000\r\n\r\n");
  for (let sent = 0; sent < 40; sent++) await client.send("x".repeat(100_000));
  expect(await client.received("too large")).toContain("HTTP/1.1 413 Payload Too Large");
  client.socket.destroy();
});

test("a large upload and a large download pass whole, also by turns on one connection", async () => {
  const bytes = new Uint8Array(20 * 1024 * 1024).map((_, index) => index % 251);
  const server = start(async (request) => new Response(new Blob([await request.bytes()]).stream()));
  for (let round = 0; round < 2; round++) {
    const response = await fetch(server.url, { method: "POST", body: bytes });
    expect(Bun.hash(await response.bytes())).toBe(Bun.hash(bytes));
  }
});

test("a body that nobody reads yet is received no faster", async () => {
  const readPermit = Promise.withResolvers<void>();
  const server = start(async (request) => {
    const reader = request.body?.getReader();
    await readPermit.promise;
    let read = 0;
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      read += next.value.byteLength;
    return respondWithJson({ read });
  });
  const client = await dial(server);
  const length = 100_000_000;
  await client.send(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`);
  const sending = client.send("x".repeat(length));
  let isSent = false;
  void sending.then(() => (isSent = true));
  for (let turn = 0; turn < 1_000; turn++) await new Promise(setImmediate);
  expect(isSent).toBe(false);
  readPermit.resolve();
  await sending;
  await client.received(`{"read":${length}}`);
  client.socket.destroy();
});

test("a stop answers what is under way, closes what rests, and accepts no more", async () => {
  const reply = Promise.withResolvers<Response>();
  const busyRequest = Promise.withResolvers<void>();
  const server = start((request) => {
    if (request.url.endsWith("/resting")) return Promise.resolve(respondWithJson({}));
    busyRequest.resolve();
    return reply.promise;
  });
  const [resting, busy] = [await dial(server), await dial(server)];
  await resting.send(get("/resting"));
  await resting.received("{}");
  await busy.send(get("/busy"));
  await busyRequest.promise;
  const { url } = server;
  const stopped = server.stop();
  await resting.closed();
  reply.resolve(respondWithJson({ done: true }));
  expect(await busy.closed()).toEndWith('{"done":true}');
  await stopped;
  await expect(fetch(url)).rejects.toThrow();
});

test.each([
  ["two lengths", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello", 400],
  [
    "a length and chunks",
    "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    400,
  ],
  ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
  ["a head of more than 16 KiB", get("/", `a: ${"x".repeat(20_000)}\r\n`), 431],
])("a request with %s is refused, and its connection closed", async (_, sent, status) => {
  const server = start(async () => respondWithJson({}));
  const client = await dial(server);
  await client.send(sent);
  expect(await client.closed()).toStartWith(`HTTP/1.1 ${status}`);
});

test("the address of a client is found, also by IPv6", async () => {
  for (const hostname of ["127.0.0.1", "::1"]) {
    const server = start(async (_, findPeer) => respondWithJson({ peer: findPeer() }), hostname);
    expect(server.url.hostname).toBe(hostname.includes(":") ? `[${hostname}]` : hostname);
    expect(await (await fetch(server.url)).json()).toEqual({ peer: hostname });
  }
});

test("a port in use is an error with its code", () => {
  const answer = async () => respondWithJson({});
  const server = start(answer);
  expect(() => start(answer, "127.0.0.1", server.port)).toThrow(
    expect.objectContaining({ code: "EADDRINUSE" }),
  );
});
