import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { always, closed, HI, OK, readReplyText, type Script, SocketServer } from "../testing/socket-server";
import { Http1Client } from "./http1-client";

const MEBIBYTE = 1 << 20;

let server: SocketServer;
beforeEach(() => {
  server = new SocketServer();
});
afterEach(() => server.close());

const serve = (script: Script, tls?: object) => server.open(script, tls);
const createClient = (port: number) => new Http1Client(`http://127.0.0.1:${port}/v1/x?y=z`, { "x-key": "k" });

describe("requests", () => {
  test("say where they go, what they are and how long, and follow each other on one connection", async () => {
    const client = createClient(await serve(always(HI)));
    for (const body of ["{}", "é", new Uint8Array([0x68])])
      expect(await readReplyText(client.post(body))).toBe("hi");
    expect(server.requests[0]).toBe(
      `POST /v1/x?y=z HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nx-key: k\r\ncontent-length: 2\r\n\r\n{}`,
    );
    expect(server.requests[1]).toEndWith("content-length: 2\r\n\r\n\xc3\xa9");
    expect(server.requests[2]).toEndWith("content-length: 1\r\n\r\nh");
    expect(server.sockets).toHaveLength(1);
  });

  test.each([
    ["text", "é".repeat(3 * MEBIBYTE)],
    ["bytes", new Uint8Array(6 * MEBIBYTE)],
  ])("of six megabytes as %s come whole, however slowly they are taken", async (_name, body) => {
    const client = createClient(await serve(always(HI)));
    expect(await readReplyText(client.post(body))).toBe("hi");
    expect(server.requests[0]?.length).toBe(
      (server.requests[0]?.indexOf("\r\n\r\n") ?? 0) + 4 + 6 * MEBIBYTE,
    );
  });

  test("gives each of a thousand concurrent requests its own reply", async () => {
    const echo: Script = (socket, request) => {
      const body = request.slice(request.indexOf("\r\n\r\n") + 4);
      socket.write(`${OK}content-length: ${body.length}\r\n\r\n${body}`);
    };
    const client = createClient(await serve(echo));
    const numbers = Array.from({ length: 1_000 }, (_, index) => String(index));
    expect(await Promise.all(numbers.map((number) => readReplyText(client.post(number))))).toEqual(numbers);
    expect(server.requests).toHaveLength(1_000);
  });

  test("opens a connection for each of five hundred pending requests", async () => {
    const together: Script = () => {
      if (server.requests.length === 500) for (const socket of server.sockets) socket.write(HI);
    };
    const client = createClient(await serve(together));
    const replies = await Promise.all(Array.from({ length: 500 }, () => readReplyText(client.post("{}"))));
    expect(replies).toEqual(Array(500).fill("hi"));
  });

  test("go to the resolved address, even if the name now resolves to another", async () => {
    const port = await serve(always(HI));
    const client = new Http1Client(`http://models.invalid:${port}/`, {}, () => Promise.resolve("127.0.0.1"));
    expect(await readReplyText(client.post("{}"))).toBe("hi");
    expect(server.requests[0]).toContain(`host: models.invalid:${port}\r\n`);
  });

  test("whose headers would be two are refused", () => {
    expect(() => new Http1Client("http://x.test", { "x-key": "k\r\nx: y" })).toThrow();
  });
});

describe("a connection is used no more", () => {
  test.each([
    ["that is to be closed", `${OK}connection: close\r\ncontent-length: 2\r\n\r\nhi`],
    ["whose reply was shorter than what came", `${HI}!`],
    ["that speaks HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nhi"],
    ["that is kept for a second alone", `${OK}keep-alive: timeout=1\r\ncontent-length: 2\r\n\r\nhi`],
  ])("%s", async (_name, reply) => {
    const client = createClient(await serve(always(reply)));
    for (const _ of [1, 2]) expect(await readReplyText(client.post("{}"))).toBe("hi");
    expect(server.sockets).toHaveLength(2);
  });

  test("on which a reply came before the request was there whole", async () => {
    const port = await serve(always(HI));
    server.onConnection((socket) => {
      socket.removeAllListeners("data");
      socket.pause();
      socket.write(HI);
    });
    const client = createClient(port);
    expect(await readReplyText(client.post(new Uint8Array(64 * MEBIBYTE)))).toBe("hi");
    await closed(server.sockets[0]);
  });

  test("that receives unrequested bytes", async () => {
    const client = createClient(await serve(always(HI)));
    await readReplyText(client.post("{}"));
    server.sockets[0]?.write(HI);
    await closed(server.sockets[0]);
    expect(await readReplyText(client.post("{}"))).toBe("hi");
    expect(server.sockets).toHaveLength(2);
  });

  test("that its peer has closed meanwhile: the next request goes out once, on another", async () => {
    const port = await serve(always(HI));
    const client = createClient(port);
    await readReplyText(client.post("first"));
    server.sockets[0]?.destroy();
    // By the time the other request is answered, the close has arrived as well.
    await readReplyText(createClient(port).post("other"));
    expect(await readReplyText(client.post("second"))).toBe("hi");
    expect(server.requests.map((request) => request.split("\r\n\r\n")[1])).toEqual([
      "first",
      "other",
      "second",
    ]);
  });
});

describe("a connection that breaks under a request", () => {
  test.each([
    ["before its reply", "", "ECONNRESET"],
    ["within its reply's head", "HTTP/1.1 200", "ConnectionClosed"],
    ["after 100 Continue", "HTTP/1.1 100 Continue\r\n\r\n", "ConnectionClosed"],
  ])("%s fails the call, which is not sent again", async (_name, replyText, code) => {
    const breaking: Script = (socket, _request, connection) =>
      connection === 1 && server.requests.length === 1 ? socket.write(HI) : socket.end(replyText);
    const client = createClient(await serve(breaking));
    await readReplyText(client.post("{}"));
    expect(await client.post("{}").reply.catch((error: unknown) => error)).toMatchObject({ code });
    expect(server.requests).toHaveLength(2);
  });

  test("closes the idle connections to that server too, and none is reused for a second", async () => {
    const port = await serve((socket) => {
      if (server.requests.length === 2) for (const each of server.sockets) each.write(HI);
      else if (server.requests.length === 3) socket.destroy();
      else if (server.requests.length > 3) socket.write(HI);
    });
    const client = createClient(port);
    await Promise.all([readReplyText(client.post("{}")), readReplyText(client.post("{}"))]);
    await expect(client.post("{}").reply).rejects.toThrow("before a reply came");
    for (const _ of [1, 2]) expect(await readReplyText(client.post("{}"))).toBe("hi");
    expect(server.sockets).toHaveLength(4);
  });

  test("within its reply's body fails the read after the received bytes", async () => {
    const client = createClient(await serve((socket) => socket.end(`${OK}content-length: 9\r\n\r\nhi`)));
    const reply = await client.post("{}").reply;
    await closed(server.sockets[0]);
    expect(Buffer.from((await reply.read()) ?? []).toString()).toBe("hi");
    expect(await Promise.resolve(reply.read()).catch((error: unknown) => error)).toMatchObject({
      code: "ConnectionClosed",
    });
  });

  test("a server that isn't there, or can't be found", async () => {
    const port = await serve(always(HI));
    server.close();
    const readErrorCode = (address: string) =>
      new Http1Client(address, {}).post("{}").reply.catch(({ code }: { code: string }) => code);
    expect(await readErrorCode(`http://127.0.0.1:${port}/`)).toBe("ECONNREFUSED");
    expect(await readErrorCode("http://nowhere.invalid/")).toBe("ENOTFOUND");
  });
});

describe("a request that is canceled", () => {
  const never: Script = () => {};

  test("before its connection is there is never sent", async () => {
    const client = createClient(await serve(always(HI)));
    const canceled = client.post("first");
    canceled.cancel();
    await expect(canceled.reply).rejects.toThrow("canceled");
    expect(await readReplyText(client.post("second"))).toBe("hi");
    expect(server.requests.map((request) => request.endsWith("second"))).toEqual([true]);
  });

  test.each([
    ["while it waits for its reply", never],
    ["within its body", always(`${OK}content-length: 9\r\n\r\nhi`)],
  ])("%s takes its connection with it", async (_name, script) => {
    const client = createClient(await serve(script));
    const request = client.post("{}");
    while (server.requests.length === 0) await new Promise(setImmediate);
    if (script !== never) await (await request.reply).read();
    const outcome = script === never ? request.reply : Promise.resolve((await request.reply).read());
    request.cancel();
    await expect(outcome).rejects.toThrow("canceled");
    await closed(server.sockets[0]);
  });

  test("once its reply has ended leaves the connection to the next one", async () => {
    const client = createClient(await serve(always(HI)));
    const first = client.post("{}");
    await readReplyText(first);
    const second = client.post("{}");
    first.cancel();
    expect(await readReplyText(second)).toBe("hi");
    expect(server.sockets).toHaveLength(1);
  });
});
