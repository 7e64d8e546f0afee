import { afterEach, expect, test } from "bun:test";
import { currentToasts, dismissToast } from "@/components/ui/dialog/toast";
import { type ActionReply, createProblem, type Problem } from "@/lib/console/gateway/problem";
import type { ChatEvent } from "@/lib/console/streaming/chat-event";
import { isRunning, type Message, newCallState } from "../messages/message";
import type { CallActions } from "./call-actions";
import { PaintQueue, RunningAnswers } from "./running-answers";

const keptAs = { name: "conv_00000000/a", endpoint: "chat_completions" as const };
const lost: ChatEvent = { type: "problem", problem: createProblem("unreachable", "Lost") };
const brokenOff: ChatEvent = { type: "problem", problem: createProblem("failed", "Broke off") };
const start: ChatEvent = { type: "start", requestId: "req_1", maxTokens: null };
const text = (words: string): ChatEvent => ({ type: "text", text: words });
const canceled = { ok: true, data: {} } as const;

afterEach(() => {
  for (const { id } of currentToasts()) dismissToast(id);
});

/** A pane whose answer the gateway keeps. The test is its connections, its pauses and the gateway's replies to Stop. */
function openPane(
  cancel: () => Promise<ActionReply<unknown>>,
  call: Partial<Message["call"]> = { keptAs },
  unclosed: Problem | null = null,
) {
  let message: Message = {
    id: "a",
    role: "assistant",
    text: "",
    call: { ...newCallState("m", {}), ...call },
  };
  const seen = { opened: 0, closed: 0, canceled: 0 };
  let connection: { tell: (event: ChatEvent) => void; end: () => void } = { tell: () => {}, end: () => {} };
  let endPause = () => {};
  const startStream = (_open: unknown, _input: unknown, tell: (event: ChatEvent) => void) => {
    seen.opened++;
    const { promise, resolve } = Promise.withResolvers<void>();
    connection = { tell, end: resolve };
    const stop = async () => {
      seen.closed++;
      resolve();
      return unclosed;
    };
    return { ended: promise, stop };
  };
  const cancelCall = () => {
    seen.canceled++;
    return cancel();
  };
  const calls = { startStream, cancelCall } as unknown as CallActions;
  const pause = (_ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      endPause = resolve;
      signal.addEventListener("abort", () => resolve());
    });
  const messages = {
    find: () => message,
    change: (_pane: string, _id: string, next: (one: Message) => Message) => {
      message = next(message);
    },
  };
  const answers = new RunningAnswers(messages, calls, { pause, paints: new PaintQueue(() => 0) });
  return {
    answers,
    seen,
    ended: answers.read("p", "a", () => Promise.reject(new Error("unused"))),
    tell: (...events: ChatEvent[]) => {
      for (const event of events) connection.tell(event);
    },
    /** Ends the connection with its last event. */
    async drop(last: ChatEvent) {
      connection.tell(last);
      connection.end();
      await settle();
    },
    async passPause() {
      endPause();
      await settle();
    },
    get message() {
      return message;
    },
  };
}

/** Runs all work that waits for nothing but promises. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Loses the connection twice, so that it waits before it connects again. */
async function reconnect(pane: ReturnType<typeof openPane>) {
  pane.tell(start, text("one "));
  await pane.drop(lost);
  await pane.drop(lost);
}

test("a lost connection is made again, and what had come stays until the answer comes anew", async () => {
  const pane = openPane(async () => canceled);
  await reconnect(pane);
  expect([pane.seen.opened, pane.message.text]).toEqual([2, "one "]);
  await pane.passPause();
  pane.tell(start, text("one "), text("two"));
  await pane.drop({ type: "finish", reason: "stop" });
  await pane.ended;
  expect([pane.seen.opened, pane.message.text, pane.message.call?.state]).toEqual([3, "one two", "finished"]);
});

test("Stop ends an answer that is being connected again, at the gateway too", async () => {
  const pane = openPane(async () => canceled);
  await reconnect(pane);
  pane.answers.stop();
  await pane.ended;
  expect([pane.seen.canceled, pane.seen.opened]).toEqual([1, 2]);
  expect([pane.message.text, pane.message.call?.state]).toEqual(["one ", "stopped"]);
});

test("a page that is left while an answer is being connected again reads no more of it", async () => {
  const pane = openPane(async () => canceled);
  await reconnect(pane);
  pane.answers.leave();
  await pane.ended;
  expect([pane.seen.canceled, pane.seen.opened, isRunning(pane.message.call)]).toEqual([0, 2, true]);
});

test("an answer that the gateway doesn't stop goes on, and the person is told", async () => {
  for (const cancel of [
    async () => ({ ok: false as const, ...createProblem("failed", "Try later.") }),
    () => Promise.reject(new TypeError("Failed to fetch")),
  ]) {
    const pane = openPane(cancel);
    pane.tell(start, text("one "));
    pane.answers.stop("p");
    await settle();
    expect(currentToasts().at(-1)?.message).toStartWith("The call was not stopped: T");
    expect([isRunning(pane.message.call), pane.seen.closed]).toEqual([true, 0]);
    pane.tell(text("two"));
    await pane.drop({ type: "finish", reason: "stop" });
    expect([pane.message.text, pane.message.call?.state]).toEqual(["one two", "finished"]);
  }
});

test("an answer whose stream ends before the gateway has said that it stopped it is stopped, not broken off", async () => {
  const reply = Promise.withResolvers<typeof canceled>();
  const pane = openPane(() => reply.promise);
  pane.tell(start, text("one "));
  pane.answers.stop();
  pane.answers.stop();
  await pane.drop(brokenOff);
  reply.resolve(canceled);
  await pane.ended;
  expect([pane.seen.canceled, pane.seen.opened]).toEqual([1, 1]);
  expect([pane.message.text, pane.message.call?.state, pane.message.call?.problem]).toEqual([
    "one ",
    "stopped",
    null,
  ]);
});

test("a call that is stopped before it has reached the gateway is stopped once it is there", async () => {
  let isThere = false;
  const missing = { ok: false as const, ...createProblem("not_found", "There is no such answer.") };
  const pane = openPane(async () => (isThere ? canceled : missing));
  pane.answers.stop();
  await settle();
  expect([isRunning(pane.message.call), currentToasts()]).toEqual([true, []]);
  isThere = true;
  await pane.passPause();
  await pane.ended;
  expect([pane.seen.canceled, pane.message.call?.state]).toEqual([2, "stopped"]);
});

test("a call that ends with its page is stopped at once", async () => {
  const pane = openPane(async () => canceled, {});
  pane.tell(start, text("one "));
  pane.answers.stop();
  await pane.ended;
  expect([pane.seen.closed, pane.seen.canceled, pane.message.call?.state]).toEqual([1, 0, "stopped"]);
});

test("a call of the page that isn't stopped is told, and one that continues without its page is left in silence", async () => {
  const away = createProblem("unreachable", "The console isn’t responding.");
  const left = openPane(async () => canceled, { keptAs }, away);
  left.tell(start);
  left.answers.leave();
  await settle();
  expect([left.seen.closed, currentToasts()]).toEqual([1, []]);
  const stopped = openPane(async () => canceled, {}, away);
  stopped.tell(start);
  stopped.answers.stop();
  await settle();
  expect(currentToasts().map(({ message }) => message)).toEqual([
    "The call was not stopped: The console isn’t responding.",
  ]);
});
