import { expect, test } from "bun:test";
import type { ChatEvent } from "./chat-event";
import { mergeText } from "./merge-text";

const text = (words: string): ChatEvent => ({ type: "text", text: words });
const finish: ChatEvent = { type: "finish", reason: "stop" };

async function* of(...events: ChatEvent[]) {
  yield* events;
}

async function gatherEvents(source: AsyncIterable<ChatEvent>, gather?: () => Promise<void>) {
  const events: ChatEvent[] = [];
  for await (const event of mergeText(source, gather)) events.push(event);
  return events;
}

const never = () => new Promise<void>(() => {});

test("sends the first words at once and later ones together, in order", async () => {
  const events = await gatherEvents(of(text("a"), text("b"), text("c"), finish), never);
  expect(events).toEqual([text("a"), text("bc"), finish]);
});

test("words wait no longer than the gathering takes", async () => {
  const late = Promise.withResolvers<void>();
  async function* slow() {
    yield text("a");
    yield text("b");
    await late.promise;
    yield text("c");
  }
  const events = mergeText(slow(), async () => {});
  await events.next();
  expect((await events.next()).value).toEqual(text("b"));
  late.resolve();
  expect((await events.next()).value).toEqual(text("c"));
});

test("fails the joined stream with its source, after the words before it", async () => {
  async function* torn() {
    yield text("a");
    yield text("b");
    throw new Error("torn");
  }
  const events = mergeText(torn(), async () => {});
  await events.next();
  expect((await events.next()).value).toEqual(text("b"));
  await expect(events.next()).rejects.toThrow("torn");
});

test("closes the source when the listener stops", async () => {
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) yield text("a");
    } finally {
      isClosed = true;
    }
  }
  const events = mergeText(endless(), async () => {});
  await events.next();
  await events.return(undefined);
  expect(isClosed).toBe(true);
});
