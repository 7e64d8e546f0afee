import { expect, test } from "bun:test";
import { crc32, deflateSync } from "node:zlib";
import { decodePng, encodePng, PictureFault } from "./png";

const pixels = Uint8Array.of(200, 0, 0, 255, 0, 0, 200, 0);
const png = Buffer.from(encodePng({ width: 2, height: 1, pixels }));
const END_OF_HEADER = 33;

function writeChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** The first bytes of the small picture, with other pixels. */
const withPixels = (data: Buffer) =>
  Buffer.concat([
    png.subarray(0, END_OF_HEADER),
    writeChunk("IDAT", data),
    writeChunk("IEND", Buffer.alloc(0)),
  ]);

test("pixels come back as they were, transparent ones too", () => {
  expect({ ...decodePng(png), pixels: [...decodePng(png).pixels] }).toEqual({
    width: 2,
    height: 1,
    pixels: [...pixels],
  });
});

test.each([
  ["pixels that unpack to more than its size", withPixels(deflateSync(Buffer.alloc(100_000_000)))],
  ["a lost end", png.subarray(0, 40)],
  ["text", Buffer.from("no picture at all, but a text of some length")],
])("a file with %s is refused", (_, bytes) => {
  expect(() => decodePng(bytes)).toThrow(PictureFault);
});
