import { expect, test } from "bun:test";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import type { MediaOrder, OpenedFile } from "../media-client";
import { createSandboxMediaClient } from "./sandbox-media-client";

const image: MediaOrder = {
  family: "image",
  model: "m",
  prompt: "a lighthouse",
  count: 2,
  size: { width: 1_500, height: 1_500 },
  seconds: null,
  quality: null,
  extraFields: {},
};
const openSignal = () => new AbortController().signal;
const readBytes = async ({ bytes }: OpenedFile) => Buffer.concat(await Array.fromAsync(bytes));

test("others are served while a large file is made", async () => {
  const client = createSandboxMediaClient(simulatedRuntime().clock);
  const served: string[] = [];
  const file = client.open({ id: "x", order: image }, { position: 0 }, openSignal());
  setImmediate(() => served.push("another"));
  await file;
  served.push("the file");
  expect(served).toEqual(["another", "the file"]);
});

test("an order's files are the same each time, and differ by their position", async () => {
  const client = createSandboxMediaClient(simulatedRuntime().clock);
  const open = async (position: number) =>
    readBytes(await client.open({ id: "x", order: image }, { position }, openSignal()));
  const [first, second, repeatedFirst] = await Promise.all([open(0), open(1), open(0)]);
  expect([...first.subarray(1, 4)]).toEqual([...Buffer.from("PNG")]);
  expect(Bun.hash(repeatedFirst)).toBe(Bun.hash(first));
  expect(Bun.hash(second)).not.toBe(Bun.hash(first));
});

test("makes nothing for a worker that has given up, and serves the next one", async () => {
  const client = createSandboxMediaClient(simulatedRuntime().clock);
  const small = { ...image, size: { width: 16, height: 16 } };
  const abortedOpen = client.open({ id: "x", order: image }, { position: 0 }, AbortSignal.abort());
  const next = client.open({ id: "x", order: small }, { position: 0 }, openSignal());
  expect(await abortedOpen.catch((error) => error)).toMatchObject({ name: "AbortError" });
  expect((await readBytes(await next)).length).toBeGreaterThan(50);
});

test("a clock that is set back takes no progress away", async () => {
  const { clock, stepWallClock } = simulatedRuntime();
  const client = createSandboxMediaClient(clock);
  const id = String(await client.submit(image, "task_1", openSignal()));
  stepWallClock(-3_600_000);
  expect(await client.poll({ id, order: image }, openSignal())).toEqual({ kind: "running", progress: 0 });
});
