import { expect, test } from "bun:test";
import type { BackgroundAnswerPart } from "./background-answer-store.sql";
import { BackgroundAnswer } from "./background-answers";

function setUp(patienceMs?: number) {
  const parts: BackgroundAnswerPart[] = [];
  const faults: unknown[] = [];
  const backgroundAnswer = new BackgroundAnswer({
    nowMs: () => 0,
    write: async (_answer, part) => {
      if (part) parts.push(part);
      return false;
    },
    logFault: (error) => void faults.push(error),
    ...(patienceMs !== undefined && { patienceMs }),
  });
  const writeStopped = () => (backgroundAnswer.isShutDown ? "data: error\n\n" : "");
  return { backgroundAnswer, writeStopped, parts, faults };
}

/** A reply that sends two bytes and then ends, or breaks off. */
function buildReply(failure: Error | null) {
  let isBegun = false;
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (!isBegun) controller.enqueue(Buffer.from("ab"));
        else if (failure) controller.error(failure);
        else controller.close();
        isBegun = true;
      },
    }),
  );
}

test("a reply that breaks off breaks off for its client too, and is logged once", async () => {
  const { backgroundAnswer, parts, faults } = setUp();
  const failure = new Error("The provider left");
  // The connection logs the reason that it is given.
  const reply = backgroundAnswer.store(buildReply(failure));
  expect(await reply.text().catch((reason: unknown) => reason)).toBeUndefined();
  await backgroundAnswer.over;
  expect(parts.map(({ text }) => text)).toEqual(["ab"]);
  expect(faults).toEqual([failure]);
});

const MEBIBYTE = 2 ** 20;

/** A reply of so many mebibytes that is sent piece by piece. */
function buildLongReply(mebibytes: number) {
  const piece = Buffer.alloc(MEBIBYTE, "a");
  let left = mebibytes;
  return new Response(
    new ReadableStream({
      async pull(controller) {
        await new Promise(setImmediate);
        if (left-- > 0) controller.enqueue(piece);
        else controller.close();
      },
    }),
  );
}

test("a client that doesn't read loses its copy before it fills the memory, and the call goes on", async () => {
  const { backgroundAnswer, parts, faults } = setUp(0);
  const reply = backgroundAnswer.store(buildLongReply(20));
  await backgroundAnswer.over;
  expect(parts.map(({ text }) => text).join("")).toHaveLength(8_000_000);
  expect(backgroundAnswer.signal.aborted).toBe(false);
  expect(await reply.text().catch((reason: unknown) => reason)).toBeUndefined();
  expect(faults).toEqual([]);
});

test("a client that is some mebibytes behind still gets the reply whole", async () => {
  const { backgroundAnswer } = setUp();
  const reply = backgroundAnswer.store(buildLongReply(7));
  await backgroundAnswer.over;
  expect((await reply.arrayBuffer()).byteLength).toBe(7 * MEBIBYTE);
});

test("a client that reads gets a reply of any length whole", async () => {
  const { backgroundAnswer } = setUp();
  const reply = backgroundAnswer.store(buildLongReply(20));
  expect((await reply.arrayBuffer()).byteLength).toBe(20 * MEBIBYTE);
  await backgroundAnswer.over;
});

test("a long reply that is there at once reaches a client that takes it in turn", async () => {
  const { backgroundAnswer } = setUp();
  const pieces = Array.from({ length: 20 }, () => Buffer.alloc(MEBIBYTE, "a"));
  const reply = backgroundAnswer.store(new Response(new Blob(pieces)));
  let bytes = 0;
  for await (const piece of reply.body ?? []) {
    await new Promise(setImmediate);
    bytes += piece.byteLength;
  }
  expect(bytes).toBe(20 * MEBIBYTE);
  await backgroundAnswer.over;
});

test("a canceled call ends for a client that doesn't read, too", async () => {
  const { backgroundAnswer } = setUp();
  backgroundAnswer.store(buildLongReply(20));
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  backgroundAnswer.stop();
  await backgroundAnswer.over;
});

test("a whole reply reaches its client and is stored", async () => {
  const { backgroundAnswer, parts, faults } = setUp();
  expect(await backgroundAnswer.store(buildReply(null)).text()).toBe("ab");
  await backgroundAnswer.over;
  expect(parts.map(({ text }) => text)).toEqual(["ab"]);
  expect(faults).toEqual([]);
});

const events = { headers: { "content-type": "text/event-stream" } };
const silent = () =>
  new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("data: 1\n\n")) });

test.each<[string, "shutDown" | "stop", string]>([
  [
    "a shutdown stops, ends with an error, stored and for its client",
    "shutDown",
    "data: 1\n\ndata: error\n\n",
  ],
  ["its caller stops, ends as it is", "stop", "data: 1\n\n"],
])("a stream that %s", async (_, end, expected) => {
  const { backgroundAnswer, writeStopped, parts } = setUp();
  const copy = backgroundAnswer.store(new Response(silent(), events), writeStopped);
  await new Promise(setImmediate);
  backgroundAnswer[end]();
  await backgroundAnswer.over;
  expect(await copy.text()).toBe(expected);
  expect(parts.map(({ text }) => text).join("")).toBe(expected);
});

test("a shutdown adds nothing to a stream that is whole", async () => {
  const { backgroundAnswer, writeStopped, parts } = setUp();
  const copy = backgroundAnswer.store(new Response("data: [DONE]\n\n", events), writeStopped);
  expect(await copy.text()).toBe("data: [DONE]\n\n");
  backgroundAnswer.shutDown();
  await backgroundAnswer.over;
  expect(parts.map(({ text }) => text)).toEqual(["data: [DONE]\n\n"]);
});
