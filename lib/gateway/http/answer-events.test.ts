import { expect, test } from "bun:test";
import { unauthenticated } from "../refusal";
import { answerEvents } from "./open-streams";

async function* failAfterOne(failure: Error) {
  yield { n: 1 };
  throw failure;
}

test.each([
  ["a fault is logged once", new Error("The store is gone"), 1],
  ["an access that ended is no fault", unauthenticated(), 0],
])("events that fail break off: %s", async (_name, failure, logged) => {
  const faults: unknown[] = [];
  const ends: number[] = [];
  const reply = answerEvents(failAfterOne(failure), {
    headers: {},
    logFault: (error) => void faults.push(error),
    onEnd: () => void ends.push(1),
  });
  // The connection logs the reason that it is given.
  expect(await reply.text().catch((reason: unknown) => reason)).toBeUndefined();
  expect(faults).toHaveLength(logged);
  expect(ends).toEqual([1]);
});

test.each([
  ["with an event", { done: false, value: { n: 1 } }],
  ["at their end", { done: true, value: undefined }],
] as const)("a client that leaves while events are awaited is no fault: %s", async (_name, next) => {
  const faults: unknown[] = [];
  const isDue = Promise.withResolvers<void>();
  const events = { next: () => isDue.promise.then(() => next) } as AsyncIterator<unknown>;
  const reply = answerEvents(events, {
    headers: {},
    logFault: (error) => void faults.push(error),
    onEnd: () => {},
  });
  const reader = reply.body?.getReader();
  const reading = reader?.read();
  // This lets the stream ask for its first event.
  await new Promise(setImmediate);
  await reader?.cancel();
  isDue.resolve();
  await reading;
  await new Promise(setImmediate);
  expect(faults).toEqual([]);
});
