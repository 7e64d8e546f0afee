import { expect, test } from "bun:test";
import { correctAhead, learnFromReply, nowMs, toBrowserClock, toServerClock } from "./server-clock";

const MINUTE = 60_000;
const at = (serverMs: number, sent: number, received: number) => ({
  server: [serverMs, serverMs] as const,
  browser: [sent, received] as const,
});

test("a browser whose clock is right is not corrected, however slow the connection", () => {
  expect(correctAhead(0, at(5_000, 5_000, 5_000))).toBe(0);
  expect(correctAhead(0, at(29_000, 0, 30_000))).toBe(0);
});

test("a wrong clock is corrected to within the time that the reply took", () => {
  expect(correctAhead(0, at(0, 10 * MINUTE, 10 * MINUTE + 400))).toBe(-10 * MINUTE);
  expect(correctAhead(0, at(10 * MINUTE, 0, 400))).toBe(10 * MINUTE - 400);
});

test("a slower reply does not make a better correction worse", () => {
  const ahead = correctAhead(0, at(10 * MINUTE, 0, 100));
  expect(correctAhead(ahead, at(11 * MINUTE + 500, MINUTE, 2 * MINUTE))).toBe(ahead);
});

test("a clock that has been set right in the meantime is no longer corrected", () => {
  const ahead = correctAhead(0, at(10 * MINUTE, 0, 100));
  expect(Math.abs(correctAhead(ahead, at(20 * MINUTE, 20 * MINUTE - 50, 20 * MINUTE + 50)))).toBeLessThan(
    100,
  );
});

test("the date of a reply corrects the clock, and one without a date leaves it", () => {
  const reply = (ms: number) => new Response(null, { headers: { date: new Date(ms).toUTCString() } });
  const isNear = (ms: number, expected: number) => Math.abs(ms - expected) < 3_000;
  const began = Date.now();
  learnFromReply(reply(began + 10 * MINUTE), began);
  expect(isNear(nowMs(), began + 10 * MINUTE)).toBe(true);
  learnFromReply(new Response(), began);
  expect(isNear(toServerClock(began), began + 10 * MINUTE)).toBe(true);
  expect(isNear(toBrowserClock(began + 10 * MINUTE), began)).toBe(true);
  learnFromReply(reply(began), began);
  expect(isNear(nowMs(), began)).toBe(true);
});
