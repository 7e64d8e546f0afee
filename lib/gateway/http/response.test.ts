import { afterAll, describe, expect, test } from "bun:test";
import { unauthenticated } from "../refusal";
import {
  BufferedResponse,
  passOn,
  respondWithJson,
  type StreamController,
  StreamedResponse,
} from "./response";
import { type HttpServer, startServer } from "./server";

const servers: HttpServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop(true);
});

const BROKEN_OFF = "broken off";

/** What a client gets of a response. */
async function send(response: Response) {
  const server = startServer({ hostname: "127.0.0.1", port: 0, answer: async () => response, logFault() {} });
  servers.push(server);
  const reply = await fetch(server.url).catch(() => Response.error());
  return { reply, text: reply.type === "error" ? BROKEN_OFF : await reply.text().catch(() => BROKEN_OFF) };
}

describe("a stream that is passed on", () => {
  /** What a client gets of a stream, and which faults are logged. */
  async function download(pieces: ReadableStream<Uint8Array>, refuseLostAccess: () => void) {
    const faults: unknown[] = [];
    const source = passOn(pieces, refuseLostAccess, (fault) => faults.push(fault));
    const { text } = await send(new StreamedResponse(source, { headers: {} }));
    return { text, faults };
  }

  const streamOf = (...parts: readonly (string | Error)[]) => {
    const pending = parts.values();
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        const { done, value } = pending.next();
        if (done) controller.close();
        else if (value instanceof Error) controller.error(value);
        else controller.enqueue(Buffer.from(value));
      },
    });
  };

  test("arrives whole", async () => {
    const { text, faults } = await download(streamOf("one ", "two"), () => {});
    expect([text, faults]).toEqual(["one two", []]);
  });

  test("breaks off where its reader loses access, which is no fault", async () => {
    let reads = 0;
    const { text, faults } = await download(streamOf("one ", "two"), () => {
      if (++reads > 1) throw unauthenticated();
    });
    expect([text, faults]).toEqual(["broken off", []]);
  });

  test("breaks off where it can't be read, and the reason is logged", async () => {
    const fault = new Error("The disk failed");
    const { text, faults } = await download(streamOf("one ", fault), () => {});
    expect([text, faults]).toEqual(["broken off", [fault]]);
  });
});

describe("a buffered response", () => {
  test.each([
    ["one piece", ["hi"], "hi"],
    ["several pieces", ["h", "i"], "hi"],
    ["no piece", [], ""],
  ])("of %s has its length and its headers", async (_, pieces, expected) => {
    const response = new BufferedResponse(
      pieces.map((piece) => Buffer.from(piece)),
      { headers: { a: "1" } },
    );
    const { reply, text } = await send(response);
    expect([text, reply.headers.get("a")]).toEqual([expected, "1"]);
    expect(reply.headers.get("content-length")).toBe(String(expected.length));
  });

  test("that is long arrives whole", async () => {
    const pieces = [Buffer.alloc(300_000, "x"), Buffer.from("y")];
    const { text } = await send(new BufferedResponse(pieces, { headers: {} }));
    expect(text === `${"x".repeat(300_000)}y`).toBe(true);
  });

  test("is told when it was taken, however it is read", async () => {
    const readers: ((response: Response) => unknown)[] = [
      send,
      (response) => response.text(),
      (response) => response.body?.cancel(),
    ];
    for (const read of readers) {
      let taken = 0;
      const pieces = [new Uint8Array(300_000), new Uint8Array(10)];
      const response = new BufferedResponse(pieces, { headers: {} }, () => taken++);
      expect(taken).toBe(0);
      await read(response);
      expect(taken).toBe(1);
    }
  });

  test("sends headers that are changed before the reply", async () => {
    const response = respondWithJson({}, { status: 201, headers: { a: "1" } });
    response.headers.set("b", "2");
    const { reply, text } = await send(response);
    expect([reply.status, text, reply.headers.get("a"), reply.headers.get("b")]).toEqual([
      201,
      "{}",
      "1",
      "2",
    ]);
    expect(reply.headers.get("content-type")).toBe("application/json;charset=utf-8");
  });
});

test("a streamed response tells when it waits for its source, and when for its client", async () => {
  const waits: boolean[] = [];
  let left = 2;
  const source = {
    pull(controller: StreamController) {
      if (left-- === 0) controller.close();
      else controller.enqueue(Buffer.from("x"));
    },
    cancel() {},
  };
  const response = new StreamedResponse(source, { headers: {} });
  response.onWait = (isForClient) => void waits.push(isForClient);
  expect(await response.text()).toBe("xx");
  expect(waits).toEqual([false, true, false, true, false, true]);
});

test("what a source makes for a client that has left meanwhile is dropped", async () => {
  const controllers: StreamController[] = [];
  const made = Promise.withResolvers<void>();
  const source = {
    pull(controller: StreamController) {
      controllers.push(controller);
      return made.promise;
    },
    cancel() {},
  };
  const response = new StreamedResponse(source, { headers: {} });
  const reader = response.body?.getReader();
  const reading = reader?.read();
  await reader?.cancel();
  expect((await reading)?.done).toBe(true);
  const [controller] = controllers;
  for (const late of [
    () => controller?.enqueue(Buffer.from("x")),
    () => controller?.close(),
    () => controller?.error(),
  ])
    expect(late).not.toThrow();
  made.resolve();
});
