import { SAMPLES_PER_SECOND } from "./play-tune";

const HEADER_BYTES = 44;
const [PCM, ONE_CHANNEL, BYTES_PER_SAMPLE] = [1, 1, 2];

/** A WAV file of one channel. */
export function encodeWav(
  samples: Int16Array<ArrayBuffer>,
  samplesPerSecond = SAMPLES_PER_SECOND,
): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("RIFF", 0);
  header.writeUInt32LE(HEADER_BYTES - 8 + samples.byteLength, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(PCM, 20);
  header.writeUInt16LE(ONE_CHANNEL, 22);
  header.writeUInt32LE(samplesPerSecond, 24);
  header.writeUInt32LE(samplesPerSecond * BYTES_PER_SAMPLE, 28);
  header.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  header.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples.byteLength, 40);
  return Uint8Array.from(Buffer.concat([header, new Uint8Array(samples.buffer)]));
}
