import { describe, expect, test } from "bun:test";
import type { IncomingRequest } from "../../incoming-request";
import { readBody } from "../../testing/read-body";
import { PulledResponse } from "../pulled-response";
import { recordRequests, respondOk, settle } from "./testing/recording-server";
import { answerLater, endless } from "./testing/scripted-answers";

const HEAD = "host: gateway.test\r\n";
const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\n${HEAD}${more}\r\n`;
const post = (length: number, more = "") =>
  `POST /x HTTP/1.1\r\n${HEAD}${more}content-length: ${length}\r\n\r\n`;

describe("requests in a row", () => {
  test("are answered in their order, each begun after the reply before", async () => {
    const { letGo, answer } = answerLater();
    const { receive, requests, socket } = recordRequests(answer);
    receive(get("/1") + post(5) + "hello" + get("/3"));
    await settle();
    expect(requests).toHaveLength(1);
    letGo("/3");
    letGo("/1");
    await settle();
    expect(requests.map(({ body }) => body)).toEqual(["", "hello"]);
    letGo("/x");
    await settle();
    letGo("/3");
    await settle();
    expect(socket.written.match(/\/\w$|\/\w(?=HTTP)/g)).toEqual(["/1", "/x", "/3"]);
  });

  test("are read ahead up to a bound", async () => {
    const { letGo, answer } = answerLater();
    const { receive, requests, socket } = recordRequests(answer);
    receive(get("/1"));
    await settle();
    for (let sentBytes = 0; sentBytes < 70_000; sentBytes += 10_000) {
      expect(socket.isPaused).toBe(false);
      receive(`POST /2 HTTP/1.1\r\n${HEAD}content-length: 9900\r\n\r\n`.padEnd(10_000, "x"));
    }
    expect(socket.isPaused).toBe(true);
    letGo("/1");
    await settle();
    expect(requests).toHaveLength(2);
    expect(socket.isPaused).toBe(false);
  });

  test("are answered up to the first that is malformed", async () => {
    const { receive, requests, socket } = recordRequests();
    receive(`${get("/1")}GET /2 HTTP/1.1\nhost: x\r\n\r\n${get("/3")}`);
    await settle();
    expect(requests).toMatchObject([{ body: "" }, { refused: 400 }]);
    expect(socket.written).toMatch(/^HTTP\/1.1 200 [^]*okHTTP\/1.1 400 [^]*connection: close/);
    expect(socket.isEnded).toBe(true);
  });
});

describe("a client that does not read", () => {
  test("pauses the source, and gets everything once it reads again", async () => {
    const { source, pulls } = endless(10_000);
    const { receive, socket, connection } = recordRequests(
      async () => new PulledResponse(source, { headers: {} }),
    );
    socket.room = 25_000;
    receive(get("/"));
    await settle();
    const before = pulls();
    expect(before).toBeLessThan(5);
    await settle();
    expect(pulls()).toBe(before);
    socket.room = Number.POSITIVE_INFINITY;
    connection.onDrain();
    for (let turn = 0; turn < 50; turn++) await settle();
    expect(socket.written.endsWith("0\r\n\r\n")).toBe(true);
    expect(pulls()).toBe(1_001);
    expect(socket.written.match(/2710\r\n/g)).toHaveLength(1_000);
  });

  test("is closed after 75 seconds without progress", async () => {
    const { source, isCanceled } = endless(10_000);
    const { receive, socket, connection, server } = recordRequests(
      async () => new PulledResponse(source, { headers: {} }),
    );
    socket.room = 100;
    receive(get("/"));
    await settle();
    const sweep = (times: number) => {
      for (; times > 0; times--) {
        server.seconds++;
        connection.sweep();
      }
    };
    sweep(70);
    socket.room = 10;
    sweep(70);
    expect(socket.isEnded).toBe(false);
    sweep(10);
    expect([socket.isEnded, isCanceled()]).toEqual([true, true]);
  });
});

describe("a body that isn't being read yet", () => {
  test("pauses its connection", async () => {
    const readPermit = Promise.withResolvers<void>();
    const { server, socket, receive } = recordRequests();
    server.answer = async (request: IncomingRequest) => {
      await readPermit.promise;
      return respondOk(String((await readBody(request)).byteLength));
    };
    receive(post(200_000));
    receive("x".repeat(60_000));
    expect(socket.isPaused).toBe(false);
    receive("x".repeat(60_000));
    expect(socket.isPaused).toBe(true);
    readPermit.resolve();
    await settle();
    expect(socket.isPaused).toBe(false);
    receive("x".repeat(80_000));
    await settle();
    expect(socket.written.endsWith("\r\n\r\n200000")).toBe(true);
  });

  const early = () => {
    const connection = recordRequests();
    connection.server.answer = () => respondOk("early");
    return connection;
  };

  test("is discarded where it is short, and the connection is kept", async () => {
    const { receive, socket } = early();
    receive(`${post(1_000)}begun`);
    await settle();
    expect(socket.written).toEndWith("early");
    expect(socket.written).not.toContain("connection: close");
    receive("x".repeat(995) + get("/next"));
    await settle();
    expect(socket.written.split("HTTP/1.1 200")).toHaveLength(3);
  });

  test.each([
    ["long", post(1_000_000)],
    ["of unknown length", `POST /x HTTP/1.1\r\n${HEAD}transfer-encoding: chunked\r\n\r\n`],
    ["not sent before 100 Continue", post(10, "expect: 100-continue\r\n")],
  ])("closes its connection where it is %s, and no request is read from it", async (_, head) => {
    const { receive, socket, connection, requests, server, isGone } = early();
    receive(head);
    await settle();
    expect(socket.written).toContain("connection: close");
    receive(get("/smuggled"));
    await settle();
    expect(socket.written.split("HTTP/1.1")).toHaveLength(2);
    expect(requests).toEqual([]);
    server.seconds += 6;
    connection.sweep();
    expect(isGone()).toBe(true);
  });
});

test("the rest of an upload that was refused is discarded for half a minute, where it comes fast", async () => {
  for (const [bytes, seconds] of [
    [100_000, 30],
    [1_000, 5],
  ] as const) {
    const { receive, server, connection, isGone } = recordRequests();
    server.answer = () => respondOk("early");
    receive(post(10_000_000));
    await settle();
    while (!isGone()) {
      connection.onBytes(Buffer.from(new ArrayBuffer(bytes)));
      server.seconds++;
      connection.sweep();
    }
    expect(server.seconds).toBe(seconds);
  }
});

test("100 Continue is sent once the body is wanted, and not where it has begun", async () => {
  const recording = recordRequests();
  recording.receive(post(2, "expect: 100-continue\r\n"));
  expect(recording.socket.written).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  recording.receive("hi");
  await settle();
  expect(recording.requests[0]?.body).toBe("hi");
  const startedUpload = recordRequests();
  startedUpload.receive(`${post(2, "expect: 100-continue\r\n")}h`);
  startedUpload.receive("i");
  await settle();
  expect(startedUpload.socket.written).toStartWith("HTTP/1.1 200");
});
