import { describe, expect, test } from "bun:test";
import type { IncomingRequest } from "../../incoming-request";
import { PulledResponse, type ReplySink } from "../pulled-response";
import { recordRequests, settle } from "./testing/recording-server";
import { answerLater, endless } from "./testing/scripted-answers";

const HEAD = "host: gateway.test\r\n";
const get = (path: string) => `GET ${path} HTTP/1.1\r\n${HEAD}\r\n`;
const post = (length: number) => `POST /x HTTP/1.1\r\n${HEAD}content-length: ${length}\r\n\r\n`;

describe("a client that leaves", () => {
  test("aborts the signal, also one that is read afterwards, and cancels the stream", async () => {
    for (const isReadBefore of [true, false]) {
      const { source, isCanceled } = endless(10);
      let currentRequest: IncomingRequest | null = null;
      const { receive, connection, socket } = recordRequests(async (request) => {
        currentRequest = request;
        return new PulledResponse(source, { headers: {} });
      });
      socket.room = 10;
      receive(get("/"));
      await settle();
      const request = currentRequest as IncomingRequest | null;
      if (isReadBefore) expect(request?.signal.aborted).toBe(false);
      connection.onClose();
      expect([request?.signal.aborted, isCanceled()]).toEqual([true, true]);
    }
  });

  test("ends the wait for its body, and is not answered", async () => {
    const { receive, connection, requests, socket, isGone } = recordRequests();
    receive(`${post(10)}half`);
    connection.onClose();
    await settle();
    expect(requests).toMatchObject([{ isBroken: true }]);
    expect(socket.written).toBe("");
    expect(isGone()).toBe(true);
  });
});

describe("a client that ends its half", () => {
  test("is probed with what it passes over, before its reply and within chunks", async () => {
    const pendingAnswer = answerLater();
    const before = recordRequests(pendingAnswer.answer);
    before.receive(get("/1"));
    await settle();
    before.connection.onEnd();
    expect(before.socket.written).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    pendingAnswer.letGo("/1");
    await settle();
    expect(before.socket.written).toMatch(/connection: close[^]*\/1$/);
    expect(before.socket.isEnded).toBe(true);

    let sink: ReplySink | null = null;
    const within = recordRequests(async () => {
      const source = {
        pull: (nextSink: ReplySink) => new Promise<void>(() => void (sink = nextSink)),
        cancel: () => {},
      };
      return new PulledResponse(source, { headers: {} });
    });
    within.receive(get("/"));
    await settle();
    within.connection.onEnd();
    (sink as ReplySink | null)?.enqueue(Buffer.from("more"));
    (sink as ReplySink | null)?.close();
    expect(within.socket.written).toEndWith("\r\n\r\n04\r\nmore\r\n0\r\n\r\n");
  });

  test("by HTTP/1.0 gets its reply and nothing before it", async () => {
    const pendingAnswer = answerLater();
    const { receive, connection, socket } = recordRequests(pendingAnswer.answer);
    receive("GET /1 HTTP/1.0\r\n\r\n");
    await settle();
    connection.onEnd();
    pendingAnswer.letGo("/1");
    await settle();
    expect(socket.written).toStartWith("HTTP/1.1 200");
  });

  test("is closed between requests, and answered with an error within a head", async () => {
    const resting = recordRequests();
    resting.receive(`${get("/")}\r\n`);
    await settle();
    resting.connection.onEnd();
    expect([resting.socket.isEnded, resting.requests.length]).toEqual([true, 1]);
    const recording = recordRequests();
    recording.receive("GET / HT");
    recording.connection.onEnd();
    expect(recording.requests).toEqual([{ refused: 400 }]);
  });
});
