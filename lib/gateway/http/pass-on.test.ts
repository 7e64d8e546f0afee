import { afterAll, expect, test } from "bun:test";
import { unauthenticated } from "../refusal";
import { passOn } from "./pass-on";
import { startTestServer, stopTestServers } from "./server/testing/start-test-server";

afterAll(stopTestServers);

/** What a client gets of a stream of two pieces, and which faults are logged. */
async function download(pieces: ReadableStream<Uint8Array>, refuseLostAccess: () => void) {
  const { server, faults } = startTestServer({
    answer: async () => new Response(passOn(pieces, refuseLostAccess)),
  });
  const response = await fetch(`http://127.0.0.1:${server.port}/`);
  const text = await response.text().catch(() => "broken off");
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

test("a stream is passed on whole", async () => {
  const { text, faults } = await download(streamOf("one ", "two"), () => {});
  expect([text, faults]).toEqual(["one two", []]);
});

test("a stream whose reader loses access breaks off, which is no fault", async () => {
  let reads = 0;
  const { text, faults } = await download(streamOf("one ", "two"), () => {
    if (++reads > 1) throw unauthenticated();
  });
  expect([text, faults]).toEqual(["broken off", []]);
});

test("a stream that can't be read breaks off, and the reason is logged", async () => {
  const fault = new Error("The disk failed");
  const { text, faults } = await download(streamOf("one ", fault), () => {});
  expect([text, faults]).toEqual(["broken off", [fault]]);
});
