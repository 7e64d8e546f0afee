import { lowerThreadPriority } from "../../http/worker-client";
import type { MediaOrder } from "../media-client";
import { createPictureRandom, encodeWav, hashSeed, playTune } from "./create-picture-random";
import type { Bitmap } from "./png";
import { decodePng, encodePng, PictureFault } from "./png";

/** A picture to edit, or the mask. */
export interface InputBytes {
  readonly name: "image" | "mask";
  readonly bytes: Uint8Array;
}

/** Which file of an order to make. */
export interface FileQuestion {
  readonly order: Omit<MediaOrder, "inputs">;
  readonly position: number;
  /** The pictures to edit; absent for other orders. */
  readonly inputs?: readonly InputBytes[];
}
/** The file's bytes, or why its pictures can't be edited. */
export type FileAnswer = Uint8Array<ArrayBuffer> | { readonly fault: string };

/** The thread that makes the sandbox's files. */
declare const self: Worker;

lowerThreadPriority();
self.onmessage = ({ data }: MessageEvent<FileQuestion>) => {
  const answer = answerQuestion(data);
  self.postMessage(answer, "fault" in answer ? [] : [answer.buffer]);
};

function answerQuestion(question: FileQuestion): FileAnswer {
  try {
    return make(question);
  } catch (error) {
    if (!(error instanceof PictureFault)) throw error;
    return { fault: error.message };
  }
}

function make({ order, position, inputs }: FileQuestion): Uint8Array<ArrayBuffer> {
  const { family, model, prompt, size, seconds, quality } = order;
  const seed = hashSeed([model, prompt, quality ?? "", String(position)].join("\n"));
  const picture = size ?? { width: 1, height: 1 };
  if (inputs) return encodePng(edit(seed, picture, inputs));
  if (family === "image") return encodePng(drawPicture(seed, picture));
  return encodeWav(playTune(seed, seconds ?? 1));
}

function edit(
  seed: number,
  size: { readonly width: number; readonly height: number },
  inputs: readonly InputBytes[],
) {
  const inputPictures = inputs.map(({ name, bytes }) => ({ name, bitmap: decodePng(bytes) }));
  const pictures = inputPictures.filter(({ name }) => name === "image").map(({ bitmap }) => bitmap);
  return editPicture(seed, size, pictures, inputPictures.find(({ name }) => name === "mask")?.bitmap ?? null);
}

/**
 * Edits pictures: blends their average, scaled to the size of the result, with the waves that the seed draws. With a
 * mask only its transparent pixels change, as in OpenAI's API. Deterministic.
 * @throws PictureFault for a mask that is not as large as the first picture.
 */
function editPicture(
  seed: number,
  { width, height }: { readonly width: number; readonly height: number },
  pictures: readonly Bitmap[],
  mask: Bitmap | null,
): Bitmap {
  const [first] = pictures;
  if (!first) throw new PictureFault("there is no picture to edit");
  if (mask && (mask.width !== first.width || mask.height !== first.height))
    throw new PictureFault("the mask must be as large as the first picture");
  const drawn = drawPicture(seed, { width, height }).pixels;
  const pixels = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const pixel = row * width + column;
      const position = { x: column / width, y: row / height };
      const isKept = mask !== null && mask.pixels[computeOffset(mask, position) + 3] !== 0;
      for (let sample = 0; sample < 3; sample++) {
        const before = computeAverage(pictures, position, sample);
        pixels[pixel * 4 + sample] = isKept ? before : (before + (drawn[pixel * 4 + sample] ?? 0)) >> 1;
      }
      pixels[pixel * 4 + 3] = 255;
    }
  }
  return { width, height, pixels };
}

/** Parts of the width and height, from 0 to below 1. */
interface Position {
  readonly x: number;
  readonly y: number;
}

function computeAverage(pictures: readonly Bitmap[], position: Position, sample: number): number {
  let sum = 0;
  for (const picture of pictures) sum += picture.pixels[computeOffset(picture, position) + sample] ?? 0;
  return Math.round(sum / pictures.length);
}

function computeOffset({ width, height }: Bitmap, { x, y }: Position): number {
  return (Math.floor(y * height) * width + Math.floor(x * width)) * 4;
}

type Color = readonly [red: number, green: number, blue: number];

const SHADES = 64;

const WAVES = 4;

const BLACK: Color = [0, 0, 0];

/** Draws waves of color; deterministic for the seed and size. */
function drawPicture(
  seed: number,
  { width, height }: { readonly width: number; readonly height: number },
): Bitmap {
  const random = createPictureRandom(seed);
  const palette = createPalette(random() * 360, 90 + random() * 90);
  const waves = Array.from({ length: WAVES }, () => ({
    x: (random() - 0.5) * 14,
    y: (random() - 0.5) * 14,
    phase: random() * 2 * Math.PI,
  }));
  // Sines per column and row instead of per pixel: sin(a + b) follows from theirs.
  const tables = waves.map(({ x, y, phase }) => ({
    columns: chooseAngles(width, (position) => (position / width) * x + phase),
    rows: chooseAngles(height, (position) => (position / height) * y),
  }));
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      let sum = 0;
      for (const { columns, rows } of tables) {
        const [sineX = 0, cosineX = 0] = [columns.sine[column], columns.cosine[column]];
        sum += sineX * (rows.cosine[row] ?? 0) + cosineX * (rows.sine[row] ?? 0);
      }
      const color = palette[Math.round(((sum / WAVES + 1) / 2) * (SHADES - 1))] ?? BLACK;
      pixels.set(color, (row * width + column) * 4);
    }
  }
  return { width, height, pixels };
}

function chooseAngles(length: number, angleAt: (position: number) => number) {
  const sine = new Float64Array(length);
  const cosine = new Float64Array(length);
  for (let position = 0; position < length; position++) {
    sine[position] = Math.sin(angleAt(position));
    cosine[position] = Math.cos(angleAt(position));
  }
  return { sine, cosine };
}

/** Blends from a dark shade of one hue to a bright shade of another. */
function createPalette(from: number, turn: number): Color[] {
  return Array.from({ length: SHADES }, (_, shade) => {
    const part = shade / (SHADES - 1);
    return createColor((from + turn * part) % 360, 0.55, 0.18 + 0.62 * part);
  });
}

/** Hue in degrees; saturation and lightness from 0 to 1. */
function createColor(hue: number, saturation: number, lightness: number): Color {
  const strength = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number) => {
    const position = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - strength * Math.max(-1, Math.min(position - 3, 9 - position, 1))));
  };
  return [part(0), part(8), part(4)];
}
