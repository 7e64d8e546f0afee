import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createSecureServer, type TLSSocket } from "node:tls";
import type { ProviderReply, SentRequest } from "../provider-client";
import { Http1Client } from "./http1-client";
import { expiredCertificate, goodCertificate, otherCertificate, testKey } from "./test-certificates";

const OK = "HTTP/1.1 200 OK\r\n";
const HI = `${OK}content-length: 2\r\n\r\nhi`;
const MEBIBYTE = 1 << 20;

/** What a server does with each request that is there whole, by the number of its connection and of the request. */
type Script = (socket: Socket, request: string, connection: number) => void;

let server: Server | null = null;
const sockets: Socket[] = [];
const requests: string[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  requests.length = 0;
  server?.close();
  server = null;
});

async function serve(script: Script, tls?: object): Promise<number> {
  const accept = (socket: Socket) => {
    const connection = sockets.push(socket);
    let received = "";
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      received += bytes.toString("latin1");
      const [head = ""] = received.split("\r\n\r\n", 1);
      const length = Number(/content-length: (\d+)/.exec(head)?.[1]);
      if (!(received.length >= head.length + 4 + length)) return;
      requests.push(received);
      const request = received;
      received = "";
      script(socket, request, connection);
    });
  };
  const opened = tls ? createSecureServer(tls, accept) : createServer(accept);
  server = opened;
  await new Promise<void>((resolve) => opened.listen(0, "127.0.0.1", resolve));
  const address = opened.address();
  return typeof address === "object" && address ? address.port : 0;
}

const clientOf = (port: number) => new Http1Client(`http://127.0.0.1:${port}/v1/x?y=z`, { "x-key": "k" });
const always =
  (reply: string): Script =>
  (socket) =>
    void socket.write(reply);

async function textOf(sent: SentRequest): Promise<string> {
  const pieces: Uint8Array[] = [];
  const reply = await sent.reply;
  for (let piece = await reply.read(); piece !== null; piece = await reply.read()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function sizeOf(reply: ProviderReply): Promise<number> {
  let size = 0;
  for (let piece = await reply.read(); piece !== null; piece = await reply.read()) size += piece.byteLength;
  return size;
}

/** Until the server's connection is closed. */
const closed = (socket: Socket | undefined) =>
  new Promise<void>((resolve) => (socket?.destroyed ? resolve() : socket?.once("close", () => resolve())));

describe("requests", () => {
  test("say where they go, what they are and how long, and follow each other on one connection", async () => {
    const client = clientOf(await serve(always(HI)));
    for (const body of ["{}", "é", new Uint8Array([0x68])])
      expect(await textOf(client.post(body))).toBe("hi");
    const { port } = server?.address() as { port: number };
    expect(requests[0]).toBe(
      `POST /v1/x?y=z HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-key: k\r\ncontent-length: 2\r\n\r\n{}`,
    );
    expect(requests[1]).toEndWith("content-length: 2\r\n\r\n\xc3\xa9");
    expect(requests[2]).toEndWith("content-length: 1\r\n\r\nh");
    expect(sockets).toHaveLength(1);
  });

  test.each([
    ["text", "é".repeat(3 * MEBIBYTE)],
    ["bytes", new Uint8Array(6 * MEBIBYTE)],
  ])("of six megabytes as %s come whole, however slowly they are taken", async (_name, body) => {
    const client = clientOf(await serve(always(HI)));
    expect(await textOf(client.post(body))).toBe("hi");
    expect(requests[0]?.length).toBe((requests[0]?.indexOf("\r\n\r\n") ?? 0) + 4 + 6 * MEBIBYTE);
  });

  test("of a thousand at once each gets its own reply", async () => {
    const echo: Script = (socket, request) => {
      const body = request.slice(request.indexOf("\r\n\r\n") + 4);
      socket.write(`${OK}content-length: ${body.length}\r\n\r\n${body}`);
    };
    const client = clientOf(await serve(echo));
    const numbers = Array.from({ length: 1_000 }, (_, index) => String(index));
    expect(await Promise.all(numbers.map((number) => textOf(client.post(number))))).toEqual(numbers);
    expect(requests).toHaveLength(1_000);
  });

  test("of five hundred that are all waited for each has a connection", async () => {
    const together: Script = () => {
      if (requests.length === 500) for (const socket of sockets) socket.write(HI);
    };
    const client = clientOf(await serve(together));
    const replies = await Promise.all(Array.from({ length: 500 }, () => textOf(client.post("{}"))));
    expect(replies).toEqual(Array(500).fill("hi"));
  });

  test("go to the address that was found, whatever the name leads to", async () => {
    const port = await serve(always(HI));
    const client = new Http1Client(`http://models.invalid:${port}/`, {}, () => Promise.resolve("127.0.0.1"));
    expect(await textOf(client.post("{}"))).toBe("hi");
    expect(requests[0]).toContain(`host: models.invalid:${port}\r\n`);
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
    const client = clientOf(await serve(always(reply)));
    for (const _ of [1, 2]) expect(await textOf(client.post("{}"))).toBe("hi");
    expect(sockets).toHaveLength(2);
  });

  test("on which a reply came before the request was there whole", async () => {
    const port = await serve(always(HI));
    server?.prependListener("connection", (socket: Socket) => {
      socket.removeAllListeners("data");
      socket.pause();
      socket.write(HI);
    });
    const client = clientOf(port);
    expect(await textOf(client.post(new Uint8Array(64 * MEBIBYTE)))).toBe("hi");
    await closed(sockets[0]);
  });

  test("on which something comes that nobody asked for", async () => {
    const client = clientOf(await serve(always(HI)));
    await textOf(client.post("{}"));
    sockets[0]?.write(HI);
    await closed(sockets[0]);
    expect(await textOf(client.post("{}"))).toBe("hi");
    expect(sockets).toHaveLength(2);
  });

  test("that its peer has closed meanwhile: the next request goes out once, on another", async () => {
    const port = await serve(always(HI));
    const client = clientOf(port);
    await textOf(client.post("first"));
    sockets[0]?.destroy();
    // By the time that another one is answered, the close has come too.
    await textOf(clientOf(port).post("other"));
    expect(await textOf(client.post("second"))).toBe("hi");
    expect(requests.map((request) => request.split("\r\n\r\n")[1])).toEqual(["first", "other", "second"]);
  });
});

describe("a connection that breaks under a request", () => {
  test.each([
    ["before a word of its reply", "", "ECONNRESET"],
    ["within its head", "HTTP/1.1 200", "ConnectionClosed"],
    ["behind a hundred", "HTTP/1.1 100 Continue\r\n\r\n", "ConnectionClosed"],
  ])("%s fails it, and it is not sent again", async (_name, sent, code) => {
    const breaking: Script = (socket, _request, connection) =>
      connection === 1 && requests.length === 1 ? socket.write(HI) : socket.end(sent);
    const client = clientOf(await serve(breaking));
    await textOf(client.post("{}"));
    expect(await client.post("{}").reply.catch((error: unknown) => error)).toMatchObject({ code });
    expect(requests).toHaveLength(2);
  });

  test("within its body fails the read behind what came", async () => {
    const client = clientOf(await serve((socket) => socket.end(`${OK}content-length: 9\r\n\r\nhi`)));
    const reply = await client.post("{}").reply;
    await closed(sockets[0]);
    expect(Buffer.from((await reply.read()) ?? []).toString()).toBe("hi");
    expect(await Promise.resolve(reply.read()).catch((error: unknown) => error)).toMatchObject({
      code: "ConnectionClosed",
    });
  });

  test("a server that isn't there, or can't be found", async () => {
    const port = await serve(always(HI));
    await new Promise((resolve) => server?.close(resolve));
    const codeOf = (address: string) =>
      new Http1Client(address, {}).post("{}").reply.catch(({ code }: { code: string }) => code);
    expect(await codeOf(`http://127.0.0.1:${port}/`)).toBe("ECONNREFUSED");
    expect(await codeOf("http://nowhere.invalid/")).toBe("ENOTFOUND");
  });
});

describe("a request that is cancelled", () => {
  const never: Script = () => {};

  test("before its connection is there is never sent", async () => {
    const client = clientOf(await serve(always(HI)));
    const sent = client.post("first");
    sent.cancel();
    await expect(sent.reply).rejects.toThrow("cancelled");
    expect(await textOf(client.post("second"))).toBe("hi");
    expect(requests.map((request) => request.endsWith("second"))).toEqual([true]);
  });

  test.each([
    ["while it waits for its reply", never],
    ["within its body", always(`${OK}content-length: 9\r\n\r\nhi`)],
  ])("%s takes its connection with it", async (_name, script) => {
    const client = clientOf(await serve(script));
    const sent = client.post("{}");
    while (requests.length === 0) await new Promise(setImmediate);
    if (script !== never) await (await sent.reply).read();
    const outcome = script === never ? sent.reply : Promise.resolve((await sent.reply).read());
    sent.cancel();
    await expect(outcome).rejects.toThrow("cancelled");
    await closed(sockets[0]);
  });

  test("once its reply has ended leaves the connection to the next one", async () => {
    const client = clientOf(await serve(always(HI)));
    const first = client.post("{}");
    await textOf(first);
    const second = client.post("{}");
    first.cancel();
    expect(await textOf(second)).toBe("hi");
    expect(sockets).toHaveLength(1);
  });
});

const localhost = { key: testKey, cert: goodCertificate };
const secure = (port: number, ca?: string, findAddress?: () => string) =>
  new Http1Client(`https://localhost:${port}/`, {}, findAddress ?? (() => "127.0.0.1"), ca);

describe("back-pressure", () => {
  const SIZE = 64 * MEBIBYTE;

  test.each([
    ["plain", undefined],
    ["over TLS", localhost],
  ])("a reader that doesn't read stops the server, and gets all of it later: %s", async (_name, tls) => {
    let written = 0;
    const piece = Buffer.alloc(MEBIBYTE, "x");
    const flood: Script = (socket) => {
      socket.write(`${OK}content-length: ${SIZE}\r\n\r\n`);
      const go = () => {
        while (written < SIZE) {
          written += piece.length;
          if (!socket.write(piece)) return void socket.once("drain", go);
        }
      };
      go();
    };
    const port = await serve(flood, tls);
    const client = tls ? secure(port, goodCertificate) : clientOf(port);
    const reply = await client.post("{}").reply;
    let [before, quiet] = [-1, 0];
    // The server stands still once its, our and the system's buffers are full.
    while (quiet < 50) {
      await Bun.sleep(2);
      quiet = written === before ? quiet + 1 : 0;
      before = written;
    }
    expect(written).toBeLessThan(SIZE / 2);
    expect(await sizeOf(reply)).toBe(SIZE);
  });
});

describe("TLS", () => {
  test("asks for its host by name wherever it is found, and speaks HTTP/1.1 alone", async () => {
    const port = await serve(always(HI), { ...localhost, ALPNProtocols: ["h2", "http/1.1"] });
    expect(await textOf(secure(port, goodCertificate).post("{}"))).toBe("hi");
    const { alpnProtocol, servername } = sockets[0] as TLSSocket & { servername: string };
    expect([alpnProtocol, servername]).toEqual(["http/1.1", "localhost"]);
    expect(requests[0]).toContain(`host: localhost:${port}\r\n`);
  });

  test.each([
    ["another host's", otherCertificate, otherCertificate, "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["one that has expired", expiredCertificate, expiredCertificate, "CERT_HAS_EXPIRED"],
    ["one that nobody trusts", goodCertificate, undefined, "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["another one than is trusted", goodCertificate, otherCertificate, "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ])("a certificate is refused before anything is sent: %s", async (_name, cert, ca, code) => {
    const port = await serve(always(HI), { key: testKey, cert });
    const ended = new Promise((resolve) =>
      server?.once("connection", (socket: Socket) => socket.once("close", resolve)),
    );
    const failure = await secure(port, ca)
      .post("{}")
      .reply.catch((error: unknown) => error);
    expect(failure).toMatchObject({ code });
    await ended;
    expect(requests).toEqual([]);
  });

  test("a server that speaks none, or HTTP/2 alone, gets nothing", async () => {
    const codeOf = (port: number) =>
      secure(port, goodCertificate)
        .post("{}")
        .reply.catch(({ code }: { code: string }) => code);
    const plain = await serve(always(HI));
    server?.on("connection", (socket: Socket) => socket.end("220 ready\r\n"));
    expect(await codeOf(plain)).toBe("ERR_TLS_HANDSHAKE");
    server?.close();
    expect(await codeOf(await serve(always(HI), { ...localhost, ALPNProtocols: ["h2"] }))).toBe(
      "ERR_TLS_HANDSHAKE",
    );
    expect(requests).toEqual([]);
  });
});

test("what comes packed is unpacked as it is read", async () => {
  const packed = Buffer.from(Bun.gzipSync("hello ".repeat(1_000)));
  const client = clientOf(
    await serve((socket) => {
      socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`);
      socket.write(packed);
    }),
  );
  expect(await textOf(client.post("{}"))).toBe("hello ".repeat(1_000));
  const strange = clientOf(
    await serve(always(`${OK}content-encoding: rot13\r\ncontent-length: 2\r\n\r\nhi`)),
  );
  await expect(strange.post("{}").reply).rejects.toThrow('packed as "rot13"');
});
