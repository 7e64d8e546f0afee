import { type Color, drawPicture } from "./draw-picture";
import { BLOCK, type BlockFrame, encodeVp8 } from "./encode-vp8";

const FRAMES_PER_SECOND = 12;
const NANOSECONDS_PER_TICK = 1_000_000;
const TICKS_PER_SECOND = 1_000;
const IS_KEY_FRAME = 0x80;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A film of moving colors as WebM with VP8; deterministic for the seed. */
export function encodeWebm(seed: number, size: Size, seconds: number): Uint8Array<ArrayBuffer> {
  const clusters: Buffer[] = [];
  const total = seconds * FRAMES_PER_SECOND;
  for (let first = 0; first < total; first += FRAMES_PER_SECOND) {
    const startsAt = Math.round((first / FRAMES_PER_SECOND) * TICKS_PER_SECOND);
    const blocks = [writeElement("e7", encodeUnsigned(startsAt))];
    for (let frame = first; frame < Math.min(total, first + FRAMES_PER_SECOND); frame++) {
      const moment = frame / FRAMES_PER_SECOND;
      const head = Buffer.from([0x81, 0, 0, IS_KEY_FRAME]);
      head.writeInt16BE(Math.round(moment * TICKS_PER_SECOND) - startsAt, 1);
      const vp8Frame = encodeVp8(paintBlocks(seed, size, moment), size);
      blocks.push(writeElement("a3", Buffer.concat([head, vp8Frame])));
    }
    clusters.push(writeElement("1f43b675", ...blocks));
  }
  const about = [describeFilm(seconds), describeTrack(size)];
  const cues = buildIndex(
    clusters,
    about.reduce((sum, { length }) => sum + length, 0),
  );
  return Uint8Array.from(
    Buffer.concat([writeFileHead(), writeElement("18538067", ...about, ...clusters, cues)]),
  );
}

function writeFileHead(): Buffer {
  return writeElement(
    "1a45dfa3",
    writeElement("4286", encodeUnsigned(1)),
    writeElement("42f7", encodeUnsigned(1)),
    writeElement("42f2", encodeUnsigned(4)),
    writeElement("42f3", encodeUnsigned(8)),
    writeElement("4282", Buffer.from("webm")),
    writeElement("4287", encodeUnsigned(4)),
    writeElement("4285", encodeUnsigned(2)),
  );
}

function describeFilm(seconds: number): Buffer {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(seconds * TICKS_PER_SECOND);
  const maker = Buffer.from("Gatehouse sandbox");
  return writeElement(
    "1549a966",
    writeElement("2ad7b1", encodeUnsigned(NANOSECONDS_PER_TICK)),
    writeElement("4489", duration),
    writeElement("4d80", maker),
    writeElement("5741", maker),
  );
}

function describeTrack({ width, height }: Size): Buffer {
  const picture = writeElement(
    "e0",
    writeElement("b0", encodeUnsigned(width)),
    writeElement("ba", encodeUnsigned(height)),
  );
  const [isVideo, withoutLacing] = [encodeUnsigned(1), encodeUnsigned(0)];
  const entry = writeElement(
    "ae",
    writeElement("d7", encodeUnsigned(1)),
    writeElement("73c5", encodeUnsigned(1)),
    writeElement("9c", withoutLacing),
    writeElement("86", Buffer.from("V_VP8")),
    writeElement("83", isVideo),
    picture,
  );
  return writeElement("1654ae6b", entry);
}

/** Writes where each second begins, so that a player can go there. */
function buildIndex(clusters: readonly Buffer[], firstAt: number): Buffer {
  let at = firstAt;
  const points = clusters.map((cluster, second) => {
    const cuePosition = writeElement(
      "b7",
      writeElement("f7", encodeUnsigned(1)),
      writeElement("f1", encodeUnsigned(at)),
    );
    at += cluster.length;
    return writeElement("bb", writeElement("b3", encodeUnsigned(second * TICKS_PER_SECOND)), cuePosition);
  });
  return writeElement("1c53bb6b", ...points);
}

/** An EBML element: its id in hexadecimal, its length in eight bytes, its content. */
function writeElement(id: string, ...content: readonly Uint8Array[]): Buffer {
  const length = Buffer.alloc(8);
  length.writeUInt32BE(
    content.reduce((sum, part) => sum + part.length, 0),
    4,
  );
  length[0] = 1;
  return Buffer.concat([Buffer.from(id, "hex"), length, ...content]);
}

function encodeUnsigned(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function paintBlocks(seed: number, { width, height }: Size, moment: number): BlockFrame {
  const [columns, rows] = [Math.ceil(width / BLOCK), Math.ceil(height / BLOCK)];
  const { palette, pixels } = drawPicture(seed, { width: columns, height: rows }, moment);
  const colors = palette.map(toLumaAndChroma);
  const plane = (part: number) => Uint8Array.from(pixels, (pixel) => colors[pixel]?.[part] ?? 0);
  return { columns, rows, luma: plane(0), blueness: plane(1), redness: plane(2) };
}

/** Converts by BT.601, in its narrow range. */
function toLumaAndChroma([red, green, blue]: Color): Color {
  return [
    Math.round(16 + 0.257 * red + 0.504 * green + 0.098 * blue),
    Math.round(128 - 0.148 * red - 0.291 * green + 0.439 * blue),
    Math.round(128 + 0.439 * red - 0.368 * green - 0.071 * blue),
  ];
}
