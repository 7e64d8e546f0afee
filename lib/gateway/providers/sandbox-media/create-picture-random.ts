/** Returns numbers from 0 to 1, always the same ones for one text. */
type Random = () => number;

/** A seed of 32 bits. */
export function hashSeed(text: string): number {
  return Bun.hash.xxHash32(text);
}

/** Mulberry32. */
export function createPictureRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixedBits = Math.imul(state ^ (state >>> 15), state | 1);
    mixedBits ^= mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), mixedBits | 61);
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SAMPLES_PER_SECOND = 22_050;
const NOTES_PER_SECOND = 4;
/** A pentatonic scale in semitones: no sequence of its notes is discordant. */
const SCALE = [0, 2, 4, 7, 9, 12, 14, 16];
const LOUDNESS = 0.3;
const DECAY_SECONDS = 0.35;

/** A tune of plucked notes as 16-bit samples; deterministic for the seed. */
export function playTune(seed: number, seconds: number): Int16Array<ArrayBuffer> {
  const random = createPictureRandom(seed);
  const root = 196 * 2 ** (Math.floor(random() * 12) / 12);
  const samples = new Int16Array(Math.round(seconds * SAMPLES_PER_SECOND));
  const length = SAMPLES_PER_SECOND / NOTES_PER_SECOND;
  let step = Math.floor(random() * SCALE.length);
  for (let start = 0; start < samples.length; start += length) {
    step = Math.min(SCALE.length - 1, Math.max(0, step + Math.round((random() - 0.5) * 4)));
    const frequency = root * 2 ** ((SCALE[step] ?? 0) / 12);
    pluck(samples, Math.round(start), Math.round(start + length), frequency);
  }
  return samples;
}

function pluck(samples: Int16Array, start: number, end: number, frequency: number): void {
  for (let at = start; at < Math.min(end, samples.length); at++) {
    const time = (at - start) / SAMPLES_PER_SECOND;
    const turn = 2 * Math.PI * frequency * time;
    const tone = Math.sin(turn) + 0.4 * Math.sin(2 * turn) + 0.15 * Math.sin(3 * turn);
    // A fade-in of five milliseconds, since a note that begins abruptly clicks.
    const attack = Math.min(1, time / 0.005);
    samples[at] = Math.round(32_767 * LOUDNESS * attack * Math.exp(-time / DECAY_SECONDS) * (tone / 1.55));
  }
}

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
