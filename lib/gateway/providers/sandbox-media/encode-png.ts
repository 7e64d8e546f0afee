import { crc32, deflateSync } from "node:zlib";
import type { Bitmap } from "./decode-png";
import type { Picture } from "./draw-picture";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const BITS_PER_SAMPLE = 8;
const [BY_PALETTE, COLORS_AND_ALPHA] = [3, 6];

/** A PNG of indexed colors (W3C, PNG third edition). */
export function encodePng({ width, height, palette, pixels }: Picture): Uint8Array<ArrayBuffer> {
  const colors = writeChunk("PLTE", Uint8Array.from(palette.flat()));
  return encode({ width, height, color: BY_PALETTE, samples: 1, pixels }, colors);
}

/** A PNG of colors with alpha. */
export function encodeBitmap({ width, height, pixels }: Bitmap): Uint8Array<ArrayBuffer> {
  return encode({ width, height, color: COLORS_AND_ALPHA, samples: 4, pixels });
}

interface Samples {
  readonly width: number;
  readonly height: number;
  readonly color: number;
  /** Bytes of one pixel. */
  readonly samples: number;
  readonly pixels: Uint8Array;
}

function encode(
  { width, height, color, samples, pixels }: Samples,
  palette: Buffer = Buffer.alloc(0),
): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS_PER_SAMPLE, color, 0, 0, 0], 8);
  const stride = width * samples;
  // Each row begins with its filter: none.
  const rows = new Uint8Array((stride + 1) * height);
  for (let row = 0; row < height; row++)
    rows.set(pixels.subarray(row * stride, (row + 1) * stride), row * (stride + 1) + 1);
  return Uint8Array.from(
    Buffer.concat([
      SIGNATURE,
      writeChunk("IHDR", header),
      palette,
      writeChunk("IDAT", deflateSync(rows, { level: 1 })),
      writeChunk("IEND", new Uint8Array()),
    ]),
  );
}

function writeChunk(type: string, data: Uint8Array): Buffer {
  const namedData = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(namedData));
  return Buffer.concat([length, namedData, checksum]);
}
