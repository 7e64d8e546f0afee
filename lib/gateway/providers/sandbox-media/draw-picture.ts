import { createPictureRandom } from "./create-picture-random";
import type { Bitmap } from "./png";

type Color = readonly [red: number, green: number, blue: number];

const SHADES = 64;
const WAVES = 4;
const BLACK: Color = [0, 0, 0];

/** Draws waves of color; deterministic for the seed and size. */
export function drawPicture(
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
