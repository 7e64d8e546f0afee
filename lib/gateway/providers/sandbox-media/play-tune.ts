import { createPictureRandom } from "./create-picture-random";

export const SAMPLES_PER_SECOND = 22_050;
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
