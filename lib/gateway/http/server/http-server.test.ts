import { afterEach, describe, expect, test } from "bun:test";
import type { IncomingRequest } from "../../incoming-request";
import { readBody } from "../../testing/read-body";
import { respondWithJson } from "../known-response";
import { dial, startTestServer, stopTestServers } from "./testing/start-test-server";

afterEach(stopTestServers);

const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;

describe("time", () => {
  test("a connection is closed if its first head isn't complete after ten seconds, even if bytes keep coming", async () => {
    const { server, pass } = startTestServer();
    const [silent, dripping] = [await dial(server), await dial(server)];
    await dripping.send("GET / HTTP/1.1\r\n");
    const prompt = await dial(server);
    await prompt.send(get("/"));
    await prompt.expectReceived("200 OK");
    pass(9);
    expect([silent.isClosed(), dripping.isClosed()]).toEqual([false, false]);
    pass(2);
    expect(await silent.closed()).toBe("");
    expect(await dripping.closed()).toMatch(/^HTTP\/1.1 408 [^]*"code":"head_too_slow"/);
    expect(prompt.isClosed()).toBe(false);
  });

  test("a connection may rest for 75 seconds, and the next head has ten", async () => {
    const { server, pass } = startTestServer();
    const [resting, dripping] = [await dial(server), await dial(server)];
    for (const client of [resting, dripping]) {
      await client.send(get("/"));
      await client.expectReceived("200 OK");
    }
    pass(60);
    await dripping.send("GET / HT");
    // What was sent before on another connection has been read once this is answered.
    const later = await dial(server);
    await later.send(get("/", "connection: close\r\n"));
    await later.closed();
    pass(11);
    expect(await dripping.closed()).toContain("HTTP/1.1 408");
    expect(resting.isClosed()).toBe(false);
    pass(10);
    expect(await resting.closed()).toStartWith("HTTP/1.1 200");
  });

  test("a request under way has no limit here", async () => {
    const reply = Promise.withResolvers<Response>();
    const firstRequest = Promise.withResolvers<void>();
    const { server, pass } = startTestServer({ answer: () => (firstRequest.resolve(), reply.promise) });
    const client = await dial(server);
    await client.send(get("/"));
    await firstRequest.promise;
    pass(10_000);
    reply.resolve(respondWithJson({}));
    expect(await client.expectReceived("{}")).toContain("200 OK");
  });
});

test("a stop answers what is under way, closes what rests, and accepts no more", async () => {
  const reply = Promise.withResolvers<Response>();
  const firstRequest = Promise.withResolvers<void>();
  const answer = (request: IncomingRequest) => {
    if (request.url.endsWith("/resting")) return Promise.resolve(respondWithJson({}));
    firstRequest.resolve();
    return reply.promise;
  };
  const { server, pass } = startTestServer({ answer });
  const [resting, busy] = [await dial(server), await dial(server)];
  await resting.send(get("/resting"));
  await resting.expectReceived("{}");
  await busy.send(get("/busy") + get("/behind"));
  await firstRequest.promise;
  const stopPromise = server.stop();
  await resting.closed();
  expect(busy.isClosed()).toBe(false);
  reply.resolve(respondWithJson({ done: true }));
  const replyText = await busy.closed();
  expect(replyText).toMatch(/connection: close[^]*{"done":true}$/);
  pass(2);
  await stopPromise;
  await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();
});

test("the client of an upload that is refused early gets the refusal while it is still sending", async () => {
  const { server } = startTestServer({
    answer: async () => respondWithJson({ error: "too large" }, { status: 413 }),
  });
  const client = await dial(server);
  await client.send("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000000\r\n\r\n");
  for (let sentPieces = 0; sentPieces < 40; sentPieces++) await client.send("x".repeat(100_000));
  expect(await client.expectReceived("too large")).toContain("HTTP/1.1 413 Payload Too Large");
  client.socket.destroy();
});

test("a large upload and a large download pass whole, also by turns on one connection", async () => {
  const bytes = new Uint8Array(20 * 1024 * 1024).map((_, index) => index % 251);
  const { server, faults } = startTestServer({
    async answer(request) {
      const bodyBytes = await readBody(request);
      return new Response(new Blob([bodyBytes]).stream());
    },
  });
  for (let round = 0; round < 2; round++) {
    const response = await fetch(`${server.origin}/`, { method: "POST", body: bytes });
    expect(Bun.hash(await response.bytes())).toBe(Bun.hash(bytes));
  }
  expect(faults).toEqual([]);
});

test.if(process.platform === "linux")(
  "an address keeps its share of connections: those that rested the longest go",
  async () => {
    const { server, pass, lines } = startTestServer({ maxPerNetwork: 2, exempt: ["127.0.0.4"] });
    const use = async (client: Awaited<ReturnType<typeof dial>>, path: string) => {
      await client.send(get(path));
      await client.expectReceived(`"${path}"`);
    };
    const openFrom = async (address: string) => {
      const client = await dial(server, address);
      await use(client, "/opened");
      return client;
    };
    const used = await openFrom("127.0.0.2");
    const forgotten = await openFrom("127.0.0.2");
    const otherPorts: (typeof used)[] = [];
    for (const address of ["127.0.0.1", "127.0.0.4"])
      for (let count = 0; count < 3; count++) otherPorts.push(await openFrom(address));
    pass(1);
    await use(used, "/used");
    otherPorts.push(await openFrom("127.0.0.2"));
    expect(forgotten.isClosed()).toBe(false);
    pass(2);
    await forgotten.closed();
    for (const client of [used, ...otherPorts]) await use(client, "/still-open");
    expect(lines).toEqual(["Closed 1 resting connections of addresses with too many, last 127.0.0.2."]);
    for (const { socket } of [used, ...otherPorts]) socket.destroy();
  },
);

test("the address of an IPv6 client is passed on", async () => {
  const { server } = startTestServer({ hostname: "::1" });
  expect(server.origin).toBe(`http://[::1]:${server.port}`);
  expect(await (await fetch(`${server.origin}/`)).json()).toMatchObject({ peer: "::1" });
});

test("a port in use is an error with its code", () => {
  const { server } = startTestServer();
  expect(() => startTestServer({ port: server.port })).toThrow(
    expect.objectContaining({ code: "EADDRINUSE" }),
  );
});
