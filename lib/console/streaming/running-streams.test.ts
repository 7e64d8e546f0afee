import { expect, test } from "bun:test";
import { RunningStreams } from "./running-streams";

test("a stream ends when its own session cancels it, and only then", () => {
  const streams = new RunningStreams();
  const stream = streams.begin("alice", "stream-1");
  streams.cancel("mallory", "stream-1");
  expect(stream?.signal.aborted).toBe(false);
  streams.cancel("alice", "stream-1");
  expect(stream?.signal.aborted).toBe(true);
  expect(streams.size).toBe(0);
});

test("a cancel that overtakes its stream ends it as it begins, once", () => {
  const streams = new RunningStreams();
  streams.cancel("alice", "stream-1");
  const stream = streams.begin("alice", "stream-1");
  expect(stream?.signal.aborted).toBe(true);
  stream?.finish();
  expect(streams.begin("alice", "stream-1")?.signal.aborted).toBe(false);
});

test("an id is taken while its stream lasts and free afterwards", () => {
  const streams = new RunningStreams();
  const first = streams.begin("alice", "stream-1");
  expect(streams.begin("alice", "stream-1")).toBeNull();
  expect(streams.begin("bob", "stream-1")).not.toBeNull();
  first?.finish();
  expect(streams.begin("alice", "stream-1")).not.toBeNull();
});

test("a stream that has finished does not take its successor of the same id with it", () => {
  const streams = new RunningStreams();
  const first = streams.begin("alice", "stream-1");
  first?.finish();
  const second = streams.begin("alice", "stream-1");
  first?.finish();
  streams.cancel("alice", "stream-1");
  expect(second?.signal.aborted).toBe(true);
});

test("cancels of streams that never begin don't pile up", () => {
  const streams = new RunningStreams();
  for (let number = 0; number < 5_000; number++) streams.cancel("mallory", `stream-${number}`);
  expect(streams.begin("mallory", "stream-0")?.signal.aborted).toBe(false);
  expect(streams.begin("mallory", "stream-4999")?.signal.aborted).toBe(true);
});

test("all streams of a session end with it, and nobody else's", () => {
  const streams = new RunningStreams();
  const own = ["stream-1", "stream-2"].map((id) => streams.begin("alice", id));
  const others = streams.begin("bob", "stream-1");
  streams.cancelAll("alice");
  expect(own.map((stream) => stream?.signal.aborted)).toEqual([true, true]);
  expect(others?.signal.aborted).toBe(false);
  expect(streams.size).toBe(1);
});

test("a cancel from another session doesn't pass for a success", () => {
  const streams = new RunningStreams();
  const stream = streams.begin("alice", "stream-1");
  expect(streams.cancel("alice's next session", "stream-1")).toBe(false);
  expect(stream?.signal.aborted).toBe(false);
  expect(streams.cancel("alice", "stream-1")).toBe(true);
});
