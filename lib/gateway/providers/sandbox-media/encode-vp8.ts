import { BoolEncoder } from "./bool-encoder";
import { updateProbabilities } from "./vp8-update-probabilities";

/** The side of a macroblock in pixels. */
export const BLOCK = 16;

/** One value from 0 to 255 per macroblock, row by row. */
export interface BlockFrame {
  readonly columns: number;
  readonly rows: number;
  readonly luma: Uint8Array;
  readonly blueness: Uint8Array;
  readonly redness: Uint8Array;
}

/** With these quantizers a coefficient equals the difference of pixels, for luma and chroma. */
const BASE_QUANTIZER = 19;
const QUANTIZER_DELTA = 15;
const EVEN = 128;

/** From this value on a coefficient has extra bits, with these probabilities (RFC 6386, section 13.2). */
const categories = [
  { from: 5, bits: [159] },
  { from: 7, bits: [165, 145] },
  { from: 11, bits: [173, 148, 140] },
  { from: 19, bits: [176, 155, 140, 135] },
  { from: 35, bits: [180, 157, 141, 134, 130] },
  { from: 67, bits: [254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129] },
] as const;
/** The path to each token in the tree of tokens. */
const categoryPaths = ["100", "101", "1100", "1101", "1110", "1111"] as const;

/** A key frame of VP8 (RFC 6386) in which each macroblock has one color. */
export function encodeVp8(
  frame: BlockFrame,
  { width, height }: { readonly width: number; readonly height: number },
): Uint8Array<ArrayBuffer> {
  const modes = writeModes(frame.columns * frame.rows);
  const tokens = writeTokens(frame);
  const head = Buffer.alloc(10);
  const [isShown, partition] = [1 << 4, modes.length];
  head.writeUIntLE(isShown | (partition << 5), 0, 3);
  head.set([0x9d, 0x01, 0x2a], 3);
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return Uint8Array.from(Buffer.concat([head, modes, tokens]));
}

/** The first partition: the frame's parameters, and the prediction of each block as the mean of its neighbors. */
function writeModes(blocks: number): Uint8Array {
  const bits = new BoolEncoder();
  // Color space, clamping, segments, filter with its level, sharpness and deltas, and partitions: all zero.
  bits.number(0, 1 + 1 + 1 + 1 + 6 + 3 + 1 + 2);
  bits.number(BASE_QUANTIZER, 7);
  // Deltas of luma's DC, the second order's DC and AC, and chroma's DC and AC.
  bits.number(0, 1);
  writeDelta(bits, QUANTIZER_DELTA);
  bits.number(0, 1);
  writeDelta(bits, -QUANTIZER_DELTA);
  bits.number(0, 1);
  const isKept = 0;
  bits.number(isKept, 1);
  // All tokens are equally likely, so the contexts of a coefficient do not matter.
  for (const probability of updateProbabilities) {
    bits.bit(true, probability);
    bits.number(EVEN, 8);
  }
  const hasSkipFlags = 0;
  bits.number(hasSkipFlags, 1);
  for (let block = 0; block < blocks; block++) {
    bits.bit(true, 145);
    bits.bit(false, 156);
    bits.bit(false, 163);
    bits.bit(false, 142);
  }
  return bits.finish();
}

function writeDelta(bits: BoolEncoder, delta: number): void {
  bits.number(1, 1);
  bits.number(Math.abs(delta), 4);
  bits.number(delta < 0 ? 1 : 0, 1);
}

/** The second partition: the difference between each block and its prediction. */
function writeTokens({ columns, rows, luma, blueness, redness }: BlockFrame): Uint8Array {
  const bits = new BoolEncoder();
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const differenceIn = (plane: Uint8Array) => {
        const at = row * columns + column;
        return (plane[at] ?? 0) - predictBlock(plane, { row, column, columns });
      };
      writeBlocks(bits, differenceIn(luma), 1);
      writeBlocks(bits, 0, 16);
      writeBlocks(bits, differenceIn(blueness), 4);
      writeBlocks(bits, differenceIn(redness), 4);
    }
  }
  return bits.finish();
}

function predictBlock(
  plane: Uint8Array,
  { row, column, columns }: { row: number; column: number; columns: number },
): number {
  const at = row * columns + column;
  const [above = 0, leftSample = 0] = [plane[at - columns], plane[at - 1]];
  if (row > 0 && column > 0) return (above + leftSample + 1) >> 1;
  if (row === 0 && column === 0) return 128;
  return row > 0 ? above : leftSample;
}

/** Blocks with a single coefficient, the first; 0 for none. */
function writeBlocks(bits: BoolEncoder, coefficient: number, count: number): void {
  for (let block = 0; block < count; block++) {
    if (coefficient !== 0) {
      writePath(bits, "11");
      writeCoefficient(bits, Math.abs(coefficient));
      bits.bit(coefficient < 0, EVEN);
    }
    writePath(bits, "0");
  }
}

/** A value of 1 or more, after the bits that rule out "end" and 0. */
function writeCoefficient(bits: BoolEncoder, size: number): void {
  if (size === 1) return writePath(bits, "0");
  bits.bit(true, EVEN);
  if (size === 2) return writePath(bits, "00");
  if (size < 5) return writePath(bits, size === 3 ? "010" : "011");
  const index = categories.findLastIndex(({ from }) => size >= from);
  const { from, bits: extra } = categories[index] ?? categories[0];
  writePath(bits, categoryPaths[index] ?? "");
  for (const [position, probability] of extra.entries()) {
    bits.bit((((size - from) >> (extra.length - 1 - position)) & 1) === 1, probability);
  }
}

function writePath(bits: BoolEncoder, path: string): void {
  for (const step of path) bits.bit(step === "1", EVEN);
}
