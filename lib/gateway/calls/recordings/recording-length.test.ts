import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeWav } from "../../providers/sandbox-media/create-picture-random";
import { RecordingLength } from "./recording-length";

let folder: string;
let nowMs = 0;
const reasons: string[] = [];
let recordings: RecordingLength;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-recordings-"));
  recordings = new RecordingLength({ monotonicMs: () => nowMs }, (reason) => reasons.push(reason));
});
afterAll(async () => {
  recordings.close();
  await rm(folder, { recursive: true });
});

async function writeRecording(name: string, bytes: Uint8Array): Promise<string> {
  await Bun.write(join(folder, name), bytes);
  return join(folder, name);
}

/** An MP4 file of millions of empty boxes, which takes half a minute to read. */
function emptyBoxes(): Uint8Array {
  const bytes = Buffer.alloc(24 * 1024 * 1024, Buffer.from("\0\0\0\x08free", "latin1"));
  bytes.write("\0\0\0\x10ftypisomisom", "latin1");
  return bytes;
}

test("a recording that takes too long isn't measured, nor are the next ones of its key; those of others are", async () => {
  const hostile = await writeRecording("boxes.mp4", emptyBoxes());
  const honest = await writeRecording("talk.wav", encodeWav(new Int16Array(16_000), 8_000));
  const [given, after, others] = await Promise.all([
    recordings.measure(hostile, "key_hostile"),
    recordings.measure(honest, "key_honest"),
    recordings.measure(honest, "key_other"),
  ]);
  expect(given).toBeNull();
  expect([after?.seconds, others?.seconds]).toEqual([2, 2]);
  expect(await recordings.measure(honest, "key_hostile")).toBeNull();
  nowMs += 60_001;
  expect(await recordings.measure(honest, "key_hostile")).toEqual({ seconds: 2, isPcmWave: true });
});
