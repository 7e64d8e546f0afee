import { crc32, deflateSync } from "node:zlib";
import type { Picture } from "./draw-picture";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const [BITS_PER_PIXEL, BY_PALETTE] = [8, 3];

/** A PNG of indexed colours (W3C, PNG third edition). */
export function encodePng({ width, height, palette, pixels }: Picture): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS_PER_PIXEL, BY_PALETTE, 0, 0, 0], 8);
  // Each row begins with its filter: none.
  const rows = new Uint8Array((width + 1) * height);
  for (let row = 0; row < height; row++)
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  return Uint8Array.from(
    Buffer.concat([
      SIGNATURE,
      chunk("IHDR", header),
      chunk("PLTE", Uint8Array.from(palette.flat())),
      chunk("IDAT", deflateSync(rows, { level: 1 })),
      chunk("IEND", new Uint8Array()),
    ]),
  );
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
