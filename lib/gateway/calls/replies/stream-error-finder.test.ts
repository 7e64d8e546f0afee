import { expect, test } from "bun:test";
import { StreamErrorFinder } from "./streamed-bytes";

const DELTA = 'data: {"type":"transcript.text.delta","delta":"an error in words"}\n\n';

test.each([
  ["an error member", 'data: {"error":{"message":"Overloaded"}}\n\n'],
  ["an error's own type", 'data: {"type":"error","message":"Overloaded"}\n\n'],
  ["an event of that name", 'event: error\ndata: {"message":"Overloaded"}\n\n'],
  ["an event of that name in plain words", "event: error\ndata: Overloaded\n\n"],
  ["an array", 'data: [{"error":{"code":503,"message":"Overloaded"}}]\n\n'],
  ["errors", 'data: {"errors":["Overloaded"]}\n\n'],
])("a failure is found behind a stream's words: %s", (_, event) => {
  const finder = new StreamErrorFinder();
  expect(finder.find(Buffer.from(DELTA))).toBeNull();
  const found = finder.find(Buffer.from(DELTA + event));
  expect([found?.event.toString(), found?.offset]).toEqual([event, DELTA.length]);
});

test("an error at the end may lack its empty line", () => {
  const finder = new StreamErrorFinder();
  expect(finder.find(Buffer.from(`${DELTA}event: error\ndata: {}`))).toBeNull();
  expect(finder.findLast()?.toString()).toContain("event: error");
});

test("words about errors are none", () => {
  const finder = new StreamErrorFinder();
  expect(finder.find(Buffer.from(DELTA + 'data: {"type":"speech.audio.delta","error":null}\n\n'))).toBeNull();
  expect(finder.findLast()).toBeNull();
});
