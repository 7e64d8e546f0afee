import { afterEach, describe, expect, test } from "bun:test";
import { respondWithJson } from "../http/known-response";
import { PulledResponse, type ReplySink } from "../http/pulled-response";
import type { IncomingRequest } from "../incoming-request";
import { dial, start, stopAll } from "./served";

afterEach(stopAll);

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

/** A stream that says what becomes of its client. */
function startStreaming() {
  const begun = Promise.withResolvers<ReplySink>();
  const cancelled = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<IncomingRequest>();
  const source = {
    pull: (sink: ReplySink) => new Promise<void>(() => begun.resolve(sink)),
    cancel: () => cancelled.resolve(),
  };
  const answer = async (request: IncomingRequest) => {
    asked.resolve(request);
    return new PulledResponse(source, { headers: { "content-type": "text/event-stream" } });
  };
  return { ...start({ answer }), begun: begun.promise, cancelled: cancelled.promise, asked: asked.promise };
}

describe("a client that leaves or only ends its half", () => {
  test("is told apart within a stream that says nothing", async () => {
    for (const leaves of [true, false]) {
      const { server, begun, cancelled, asked } = startStreaming();
      const client = await dial(server);
      await client.send(get("/"));
      const [sink, { signal }] = await Promise.all([begun, asked]);
      await client.got("text/event-stream");
      if (leaves) {
        client.socket.destroy();
        await cancelled;
        expect(signal.aborted).toBe(true);
        continue;
      }
      client.socket.end();
      await client.got("\r\n\r\n0");
      expect(signal.aborted).toBe(false);
      sink.enqueue(Buffer.from("data: late\n\n"));
      sink.close();
      expect(await client.closed()).toEndWith("\r\n0c\r\ndata: late\n\n\r\n0\r\n\r\n");
    }
  });

  test("is told apart before the reply", async () => {
    for (const leaves of [true, false]) {
      const asked = Promise.withResolvers<IncomingRequest>();
      const reply = Promise.withResolvers<Response>();
      const { server } = start({ answer: (request) => (asked.resolve(request), reply.promise) });
      const client = await dial(server);
      await client.send(get("/"));
      const { signal } = await asked.promise;
      const left = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      if (leaves) {
        client.socket.destroy();
        await left;
        continue;
      }
      client.socket.end();
      await client.got("100 Continue");
      expect(signal.aborted).toBe(false);
      reply.resolve(respondWithJson({ late: true }));
      expect(await client.closed()).toEndWith('{"late":true}');
    }
  });
});

test("each chunk is sent at once", async () => {
  const { server, begun } = startStreaming();
  const client = await dial(server);
  await client.send(get("/"));
  const sink = await begun;
  for (const chunk of ["data: 1\n\n", "data: 2\n\n"]) {
    sink.enqueue(Buffer.from(chunk));
    await client.got(chunk);
  }
  client.socket.destroy();
});
