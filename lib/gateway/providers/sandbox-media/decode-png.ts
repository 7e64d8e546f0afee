import { inflateSync } from "node:zlib";

/** Pixels as red, green, blue and alpha, a byte each, row by row. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A file that isn't a PNG of the kinds that are read here. */
export class PictureFault extends Error {}

const SIGNATURE_BYTES = 8;
const MAX_PIXELS = 4_096 * 4_096;
const PALETTE = 3;
/** Samples a pixel by color type: gray, colors, palette, gray with alpha, colors with alpha. */
const samplesPerPixel: Readonly<Record<number, number>> = { 0: 1, 2: 3, [PALETTE]: 1, 4: 2, 6: 4 };

/**
 * Decodes a PNG of 8 bits a sample that is not interlaced (W3C, PNG third edition).
 * @throws PictureFault for any other.
 */
export function decodePng(file: Uint8Array): Bitmap {
  const chunks = readChunks(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  const header = chunks.get("IHDR") ?? Buffer.alloc(0);
  if (header.length !== 13) throw new PictureFault("it is no whole PNG");
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [bits, color, , , interlace] = header.subarray(8);
  const samples = samplesPerPixel[color ?? 1];
  if (bits !== 8 || samples === undefined || interlace !== 0)
    throw new PictureFault("only PNGs of 8 bits a sample that are not interlaced are read");
  if (width === 0 || height === 0 || width * height > MAX_PIXELS)
    throw new PictureFault("it must be at most 4096 × 4096 pixels large");
  const rows = inflate(chunks.get("IDAT") ?? Buffer.alloc(0), (width * samples + 1) * height);
  const bytes = unfilter(rows, { stride: width * samples, height, samples });
  const colors = { palette: chunks.get("PLTE"), alphas: chunks.get("tRNS") };
  const pixels = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++)
    pixels.set(readColor(bytes, pixel * samples, samples, color === PALETTE ? colors : null), pixel * 4);
  return { width, height, pixels };
}

/** The chunks by their type; those of one type are joined. Checksums are not compared. */
function readChunks(file: Buffer): Map<string, Buffer> {
  const parts = new Map<string, Buffer[]>();
  for (let at = SIGNATURE_BYTES; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    if (data.length < length) throw new PictureFault("it ends too early");
    parts.set(type, [...(parts.get(type) ?? []), data]);
    at += 12 + length;
  }
  return new Map([...parts].map(([type, datas]) => [type, Buffer.concat(datas)]));
}

function inflate(data: Buffer, length: number): Buffer {
  try {
    const rows = inflateSync(data, { maxOutputLength: length });
    if (rows.length === length) return rows;
  } catch {}
  throw new PictureFault("its pixels can't be read");
}

/** Undoes the filter of each row, which its first byte names. */
function unfilter(
  rows: Buffer,
  { stride, height, samples }: { stride: number; height: number; samples: number },
): Uint8Array {
  const bytes = new Uint8Array(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = rows[row * (stride + 1)] ?? 0;
    for (let column = 0; column < stride; column++) {
      const at = row * stride + column;
      const leftSample = column >= samples ? (bytes[at - samples] ?? 0) : 0;
      const above = row > 0 ? (bytes[at - stride] ?? 0) : 0;
      const corner = row > 0 && column >= samples ? (bytes[at - stride - samples] ?? 0) : 0;
      bytes[at] = (rows[row * (stride + 1) + 1 + column] ?? 0) + predict(filter, leftSample, above, corner);
    }
  }
  return bytes;
}

function predict(filter: number, leftSample: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return leftSample;
  if (filter === 2) return above;
  if (filter === 3) return (leftSample + above) >> 1;
  if (filter !== 4) throw new PictureFault("its pixels can't be read");
  const estimate = leftSample + above - corner;
  const byLeft = Math.abs(estimate - leftSample);
  const byAbove = Math.abs(estimate - above);
  const byCorner = Math.abs(estimate - corner);
  if (byLeft <= byAbove && byLeft <= byCorner) return leftSample;
  return byAbove <= byCorner ? above : corner;
}

type Colors = { readonly palette: Buffer | undefined; readonly alphas: Buffer | undefined };

function readColor(bytes: Uint8Array, at: number, samples: number, colors: Colors | null): number[] {
  const [first = 0, second = 0, third = 0, fourth = 255] = bytes.subarray(at, at + samples);
  if (colors) {
    const [red = 0, green = 0, blue = 0] = colors.palette?.subarray(first * 3, first * 3 + 3) ?? [];
    return [red, green, blue, colors.alphas?.[first] ?? 255];
  }
  if (samples <= 2) return [first, first, first, samples === 2 ? second : 255];
  return [first, second, third, fourth];
}
