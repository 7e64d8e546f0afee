import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskFiles, type StoredFile } from "../../files/file-storage";
import { unauthenticated } from "../../refusal";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import type { TaskRecord } from "../../tasks/task-store.sql";
import { answerImages } from "./answer-images";

const MIB = 1024 * 1024;
/** Sizes of which only one is a multiple of the three bytes that base64 encodes together. */
const images = [4 * MIB + 1, 3 * MIB, 2 * MIB + 2].map((bytes, position) =>
  Buffer.from(Uint8Array.from({ length: bytes }, (_, at) => (at * (position + 7)) % 251)),
);
const task = {
  id: "task_1",
  status: "succeeded",
  files: images.map(({ byteLength: bytes }) => ({ type: "image", mimeType: "image/png", bytes })),
  createdAtMs: 0,
  endedAtMs: 1,
} as unknown as TaskRecord;

/** The files are on this disk, and in a bucket that is asked once they have left it. */
async function openScene() {
  const folder = await mkdtemp(join(tmpdir(), "answer-images-"));
  const local = createDiskFiles(folder);
  for (const [position, image] of images.entries()) await local.write(task.id, position, pieces(image));
  const fromBucket: number[] = [];
  const openInBucket = (position: number): StoredFile => ({
    bytes: images[position]?.byteLength ?? 0,
    read(start, end) {
      fromBucket.push(position);
      return new Response(images[position]?.subarray(start, end)).body as ReadableStream<Uint8Array>;
    },
  });
  const context = {
    taskWatch: { untilEnded: async () => task },
    outputFiles: {
      open: async (id: string, position: number) =>
        (await local.open(id, position)) ?? openInBucket(position),
    },
    admissions: { countWaitingClient: () => () => {} },
    runtime: simulatedRuntime(),
    consoleUrl: "http://console.test",
  };
  const requestContext = {
    url: new URL("http://gateway.test/v1/images/generations"),
    requestId: "req_1",
    clientSignal: new AbortController().signal,
  };
  const taskReply = Response.json({ id: task.id, request_id: "req_1" });
  let hasAccess = true;
  const refuseEndedAccess = () => {
    if (!hasAccess) throw unauthenticated();
  };
  return {
    local,
    fromBucket,
    endAccess: () => {
      hasAccess = false;
    },
    answer: () =>
      answerImages(
        context as never,
        requestContext as never,
        { format: "b64_json", refuseEndedAccess },
        taskReply,
      ),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function* pieces(bytes: Uint8Array) {
  yield bytes;
}

test("images reach a slow client whole, though their files leave the disk meanwhile", async () => {
  await using scene = await openScene();
  const reader = (await scene.answer()).body?.getReader();
  const received: Uint8Array[] = [];
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) break;
    received.push(value as Uint8Array);
    // The head and the first bytes of the first image have arrived.
    if (received.length === 3) await scene.local.delete(task.id);
  }
  const reply = JSON.parse(Buffer.concat(received).toString()) as { data: { b64_json: string }[] };
  const areEqual = reply.data.map(({ b64_json }, position) =>
    images[position]?.equals(Buffer.from(b64_json, "base64")),
  );
  expect(areEqual).toEqual([true, true, true]);
  expect(scene.fromBucket).toEqual([1, 2]);
});

test("images break off for a client whose access ends while they are sent", async () => {
  await using scene = await openScene();
  const reply = await scene.answer();
  const reader = reply.body?.getReader();
  await reader?.read();
  scene.endAccess();
  expect(await reader?.read().catch((reason: unknown) => reason)).toBeUndefined();
});
