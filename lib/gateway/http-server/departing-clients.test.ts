import { describe, expect, test } from "bun:test";
import { PulledResponse, type ReplySink } from "../http/pulled-response";
import type { IncomingRequest } from "../incoming-request";
import { recordRequests, settle } from "./recording-server";
import { answerLater, endless } from "./scripted-answers";

const HEAD = "host: gateway.test\r\n";
const get = (path: string) => `GET ${path} HTTP/1.1\r\n${HEAD}\r\n`;
const post = (length: number) => `POST /x HTTP/1.1\r\n${HEAD}content-length: ${length}\r\n\r\n`;

describe("a client that leaves", () => {
  test("aborts the signal, also one that is read afterwards, and cancels the stream", async () => {
    for (const isReadBefore of [true, false]) {
      const { source, isCancelled } = endless(10);
      let asked: IncomingRequest | null = null;
      const { receive, connection, socket } = recordRequests(async (request) => {
        asked = request;
        return new PulledResponse(source, { headers: {} });
      });
      socket.room = 10;
      receive(get("/"));
      await settle();
      const request = asked as IncomingRequest | null;
      if (isReadBefore) expect(request?.signal.aborted).toBe(false);
      connection.closed();
      expect([request?.signal.aborted, isCancelled()]).toEqual([true, true]);
    }
  });

  test("ends the wait for its body, and is not answered", async () => {
    const { receive, connection, recorded, socket, isGone } = recordRequests();
    receive(`${post(10)}half`);
    connection.closed();
    await settle();
    expect(recorded).toMatchObject([{ isBroken: true }]);
    expect(socket.written).toBe("");
    expect(isGone()).toBe(true);
  });
});

describe("a client that ends its half", () => {
  test("is probed with what it passes over, before its reply and within chunks", async () => {
    const waiting = answerLater();
    const before = recordRequests(waiting.answer);
    before.receive(get("/1"));
    await settle();
    before.connection.ended();
    expect(before.socket.written).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    waiting.letGo("/1");
    await settle();
    expect(before.socket.written).toMatch(/connection: close[^]*\/1$/);
    expect(before.socket.isEnded).toBe(true);

    let sink: ReplySink | null = null;
    const within = recordRequests(async () => {
      const source = {
        pull: (given: ReplySink) => new Promise<void>(() => void (sink = given)),
        cancel: () => {},
      };
      return new PulledResponse(source, { headers: {} });
    });
    within.receive(get("/"));
    await settle();
    within.connection.ended();
    (sink as ReplySink | null)?.enqueue(Buffer.from("more"));
    (sink as ReplySink | null)?.close();
    expect(within.socket.written).toEndWith("\r\n\r\n04\r\nmore\r\n0\r\n\r\n");
  });

  test("by HTTP/1.0 gets its reply and nothing before it", async () => {
    const waiting = answerLater();
    const { receive, connection, socket } = recordRequests(waiting.answer);
    receive("GET /1 HTTP/1.0\r\n\r\n");
    await settle();
    connection.ended();
    waiting.letGo("/1");
    await settle();
    expect(socket.written).toStartWith("HTTP/1.1 200");
  });

  test("between requests is closed, and within a head is told so", async () => {
    const resting = recordRequests();
    resting.receive(`${get("/")}\r\n`);
    await settle();
    resting.connection.ended();
    expect([resting.socket.isEnded, resting.recorded.length]).toEqual([true, 1]);
    const cut = recordRequests();
    cut.receive("GET / HT");
    cut.connection.ended();
    expect(cut.recorded).toEqual([{ refused: 400 }]);
  });
});
