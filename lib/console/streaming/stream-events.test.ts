import { expect, test } from "bun:test";
import { createProblem } from "../gateway/problem";
import { RunningStreams } from "./running-streams";
import { streamEvents } from "./stream-events";

const describe = (error: unknown) => createProblem("failed", String(error));

function begin(streams = new RunningStreams()) {
  const begun = streams.begin("alice", "stream-1");
  if (!begun) throw new Error("taken");
  return { streams, begun };
}

async function readAll<Event>(stream: ReadableStream<Event>): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

test("the source is opened by the first read, not before", async () => {
  const { begun } = begin();
  let openCount = 0;
  async function* source() {
    openCount += 1;
    yield 1;
  }
  const stream = streamEvents(begun, source, describe);
  await Promise.resolve();
  expect(openCount).toBe(0);
  expect(await readAll(stream)).toEqual([1]);
});

test("a source that fails ends the stream with one problem, not with an exception", async () => {
  const { begun, streams } = begin();
  async function* source() {
    yield 1;
    throw new Error("torn");
  }
  const events = await readAll(streamEvents(begun, source, describe));
  expect(events).toEqual([1, { type: "problem", problem: describe(new Error("torn")) }]);
  expect(streams.size).toBe(0);
});

test("after a cancel the stream ends without a word and the source is closed", async () => {
  const { begun, streams } = begin();
  let isClosed = false;
  async function* source() {
    try {
      for (let number = 0; ; number++) yield number;
    } finally {
      isClosed = true;
    }
  }
  const reader = streamEvents(begun, source, describe).getReader();
  expect(await reader.read()).toEqual({ done: false, value: 0 });
  streams.cancel("alice", "stream-1");
  expect((await reader.read()).done).toBe(true);
  expect(isClosed).toBe(true);
});

test("a source that throws because it was canceled reports no error either", async () => {
  const { begun, streams } = begin();
  async function* source() {
    yield 0;
    await new Promise((_, reject) =>
      begun.signal.addEventListener("abort", () => reject(begun.signal.reason)),
    );
  }
  const reader = streamEvents<number>(begun, source, describe).getReader();
  await reader.read();
  const pendingRead = reader.read();
  streams.cancel("alice", "stream-1");
  expect((await pendingRead).done).toBe(true);
});

test("a stream that is no longer read is canceled", async () => {
  const { begun, streams } = begin();
  async function* source() {
    yield 0;
  }
  await streamEvents(begun, source, describe).cancel();
  expect(begun.signal.aborted).toBe(true);
  expect(streams.size).toBe(0);
});
