import { expect, mock, test } from "bun:test";
import { createProblem, type Problem } from "@/lib/console/gateway/problem";

let cancel: () => Promise<Problem | null> = async () => null;
mock.module("./cancel-stream", () => ({ cancelStream: () => cancel() }));
const { startStream } = await import("./start-stream");

/** A stream that sends nothing and doesn't end. */
const open = async () => new ReadableStream<{ type: "text" }>();

test("a stream that the console doesn't stop says why, and only once", async () => {
  const ended = createProblem("unauthenticated", "Your session has ended.");
  cancel = async () => ended;
  const refused = startStream(open, undefined, () => {});
  expect(await refused.stop()).toEqual(ended);
  expect(await refused.stop()).toBeNull();
  cancel = () => Promise.reject(new TypeError("Failed to fetch"));
  expect(await startStream(open, undefined, () => {}).stop()).toMatchObject({ code: "unreachable" });
});

test("a stream that was stopped has ended", async () => {
  cancel = async () => null;
  const stream = startStream(open, undefined, () => {});
  expect(await stream.stop()).toBeNull();
  await stream.ended;
});
