import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { TLSSocket } from "node:tls";
import type { ServerReply } from "../server-reply";
import { always, HI, OK, readReplyText, type Script, SocketServer } from "../testing/socket-server";
import { expiredCertificate, goodCertificate, otherCertificate, testKey } from "../testing/test-certificates";
import { Http1Client } from "./http1-client";

const MEBIBYTE = 1 << 20;

let server: SocketServer;
beforeEach(() => {
  server = new SocketServer();
});
afterEach(() => server.close());

const serve = (script: Script, tls?: object) => server.open(script, tls);
const createClient = (port: number) => new Http1Client(`http://127.0.0.1:${port}/v1/x?y=z`, { "x-key": "k" });

async function readSize(reply: ServerReply): Promise<number> {
  let size = 0;
  for (let piece = await reply.read(); piece !== null; piece = await reply.read()) size += piece.byteLength;
  return size;
}

const localhost = { key: testKey, cert: goodCertificate };
const secure = (port: number, ca?: string, findAddress?: () => string) =>
  new Http1Client(`https://localhost:${port}/`, {}, findAddress ?? (() => "127.0.0.1"), ca);

describe("back-pressure", () => {
  const SIZE = 64 * MEBIBYTE;

  test.each([
    ["plain", undefined],
    ["over TLS", localhost],
  ])("a reader that doesn't read stops the server, and gets all of it later: %s", async (_name, tls) => {
    let writtenBytes = 0;
    const piece = Buffer.alloc(MEBIBYTE, "x");
    const flood: Script = (socket) => {
      socket.write(`${OK}content-length: ${SIZE}\r\n\r\n`);
      const go = () => {
        while (writtenBytes < SIZE) {
          writtenBytes += piece.length;
          if (!socket.write(piece)) return void socket.once("drain", go);
        }
      };
      go();
    };
    const port = await serve(flood, tls);
    const client = tls ? secure(port, goodCertificate) : createClient(port);
    const reply = await client.post("{}").reply;
    let [before, quiet] = [-1, 0];
    // The server stalls once its buffers, ours and the system's are full.
    while (quiet < 50) {
      await Bun.sleep(2);
      quiet = writtenBytes === before ? quiet + 1 : 0;
      before = writtenBytes;
    }
    expect(writtenBytes).toBeLessThan(SIZE / 2);
    expect(await readSize(reply)).toBe(SIZE);
  });
});

describe("TLS", () => {
  test("asks for its host by name wherever it is found, and speaks only HTTP/1.1", async () => {
    const port = await serve(always(HI), { ...localhost, ALPNProtocols: ["h2", "http/1.1"] });
    expect(await readReplyText(secure(port, goodCertificate).post("{}"))).toBe("hi");
    const { alpnProtocol, servername } = server.sockets[0] as TLSSocket & { servername: string };
    expect([alpnProtocol, servername]).toEqual(["http/1.1", "localhost"]);
    expect(server.requests[0]).toContain(`host: localhost:${port}\r\n`);
  });

  test.each([
    ["another host's", otherCertificate, otherCertificate, "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["one that has expired", expiredCertificate, expiredCertificate, "CERT_HAS_EXPIRED"],
    ["one that nobody trusts", goodCertificate, undefined, "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["another one than is trusted", goodCertificate, otherCertificate, "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ])("a certificate is refused before anything is sent: %s", async (_name, cert, ca, code) => {
    const port = await serve(always(HI), { key: testKey, cert });
    const connectionEnd = new Promise((resolve) =>
      server.onConnection((socket) => socket.once("close", resolve)),
    );
    const failure = await secure(port, ca)
      .post("{}")
      .reply.catch((error: unknown) => error);
    expect(failure).toMatchObject({ code });
    await connectionEnd;
    expect(server.requests).toEqual([]);
  });

  test("sends nothing to a server that doesn't speak HTTP/1.1", async () => {
    const readErrorCode = (port: number) =>
      secure(port, goodCertificate)
        .post("{}")
        .reply.catch(({ code }: { code: string }) => code);
    const plain = await serve(always(HI));
    server.onConnection((socket) => socket.end("220 ready\r\n"));
    expect(await readErrorCode(plain)).toBe("ERR_TLS_HANDSHAKE");
    server.close();
    expect(await readErrorCode(await serve(always(HI), { ...localhost, ALPNProtocols: ["h2"] }))).toBe(
      "ERR_TLS_HANDSHAKE",
    );
    expect(server.requests).toEqual([]);
  });
});

test("decompresses a compressed reply while it is read", async () => {
  const compressed = Buffer.from(Bun.gzipSync("hello ".repeat(1_000)));
  const client = createClient(
    await serve((socket) => {
      socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${compressed.length}\r\n\r\n`);
      socket.write(compressed);
    }),
  );
  expect(await readReplyText(client.post("{}"))).toBe("hello ".repeat(1_000));
  const strange = createClient(
    await serve(always(`${OK}content-encoding: rot13\r\ncontent-length: 2\r\n\r\nhi`)),
  );
  await expect(strange.post("{}").reply).rejects.toThrow('packed as "rot13"');
});
