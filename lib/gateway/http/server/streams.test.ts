import { afterEach, describe, expect, test } from "bun:test";
import type { IncomingRequest } from "../../incoming-request";
import { respondWithJson } from "../known-response";
import { PulledResponse, type ReplySink } from "../pulled-response";
import { dial, startTestServer, stopTestServers } from "./testing/start-test-server";

afterEach(stopTestServers);

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

/** A stream that says what becomes of its client. */
function startStreaming() {
  const sinkReady = Promise.withResolvers<ReplySink>();
  const cancellation = Promise.withResolvers<void>();
  const requestReady = Promise.withResolvers<IncomingRequest>();
  const source = {
    pull: (sink: ReplySink) => new Promise<void>(() => sinkReady.resolve(sink)),
    cancel: () => cancellation.resolve(),
  };
  const answer = async (request: IncomingRequest) => {
    requestReady.resolve(request);
    return new PulledResponse(source, { headers: { "content-type": "text/event-stream" } });
  };
  return {
    ...startTestServer({ answer }),
    sinkReady: sinkReady.promise,
    canceled: cancellation.promise,
    requestReady: requestReady.promise,
  };
}

describe("a client that leaves or only ends its half", () => {
  test("are distinguished within a silent stream", async () => {
    for (const leaves of [true, false]) {
      const { server, sinkReady, canceled: cancellation, requestReady } = startStreaming();
      const client = await dial(server);
      await client.send(get("/"));
      const [sink, { signal }] = await Promise.all([sinkReady, requestReady]);
      await client.expectReceived("text/event-stream");
      if (leaves) {
        client.socket.destroy();
        await cancellation;
        expect(signal.aborted).toBe(true);
        continue;
      }
      client.socket.end();
      await client.expectReceived("\r\n\r\n0");
      expect(signal.aborted).toBe(false);
      sink.enqueue(Buffer.from("data: late\n\n"));
      sink.close();
      expect(await client.closed()).toEndWith("\r\n0c\r\ndata: late\n\n\r\n0\r\n\r\n");
    }
  });

  test("are distinguished before the reply", async () => {
    for (const leaves of [true, false]) {
      const requestReady = Promise.withResolvers<IncomingRequest>();
      const reply = Promise.withResolvers<Response>();
      const { server } = startTestServer({
        answer: (request) => (requestReady.resolve(request), reply.promise),
      });
      const client = await dial(server);
      await client.send(get("/"));
      const { signal } = await requestReady.promise;
      const clientGone = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      if (leaves) {
        client.socket.destroy();
        await clientGone;
        continue;
      }
      client.socket.end();
      await client.expectReceived("100 Continue");
      expect(signal.aborted).toBe(false);
      reply.resolve(respondWithJson({ late: true }));
      expect(await client.closed()).toEndWith('{"late":true}');
    }
  });
});

test("each chunk is sent at once", async () => {
  const { server, sinkReady } = startStreaming();
  const client = await dial(server);
  await client.send(get("/"));
  const sink = await sinkReady;
  for (const chunk of ["data: 1\n\n", "data: 2\n\n"]) {
    sink.enqueue(Buffer.from(chunk));
    await client.expectReceived(chunk);
  }
  client.socket.destroy();
});
