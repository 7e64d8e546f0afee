import { drawPicture } from "./draw-picture";
import { type Bitmap, PictureFault } from "./png";

/**
 * Edits pictures: blends their average, scaled to the size of the result, with the waves that the seed draws. With a
 * mask only its transparent pixels change, as in OpenAI's API. Deterministic.
 * @throws PictureFault for a mask that is not as large as the first picture.
 */
export function editPicture(
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
