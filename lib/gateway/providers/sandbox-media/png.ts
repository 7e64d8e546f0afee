import { PNG } from "pngjs";

/** Pixels as red, green, blue and alpha, a byte each, row by row. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A file that isn't a PNG that can be edited. */
export class PictureFault extends Error {}

const MAX_PIXELS = 4_096 * 4_096;
const HEADER_BYTES = 29;

/** Encodes opaque and transparent pictures. Its speed matters more than its size. */
export function encodePng({ width, height, pixels }: Bitmap): Uint8Array<ArrayBuffer> {
  const png = new PNG({ width, height });
  png.data = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  return Uint8Array.from(PNG.sync.write(png, { deflateLevel: 1, deflateStrategy: 0, filterType: 0 }));
}

/**
 * Decodes a PNG. The size in its header bounds the memory that pngjs takes, unless it is interlaced.
 * @throws PictureFault for a file that isn't a PNG, for an interlaced one, and for one of over 4096 × 4096 pixels.
 */
export function decodePng(file: Uint8Array): Bitmap {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length < HEADER_BYTES || bytes.toString("latin1", 12, 16) !== "IHDR")
    throw new PictureFault("it is no whole PNG");
  const [width, height, interlace] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[28]];
  if (interlace !== 0) throw new PictureFault("only PNGs that are not interlaced are read");
  if (width === 0 || height === 0 || width * height > MAX_PIXELS)
    throw new PictureFault("it must be at most 4096 × 4096 pixels large");
  try {
    return { width, height, pixels: PNG.sync.read(bytes).data };
  } catch {
    throw new PictureFault("its pixels can't be read");
  }
}
