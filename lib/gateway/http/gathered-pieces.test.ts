import { expect, test } from "bun:test";
import { GatheredPieces } from "./body-reader";

const MIB = 1024 * 1024;
const countingBytes = (size: number, from = 0) =>
  Uint8Array.from({ length: size }, (_, index) => from + index);

test("preserves the order of bytes, however they are split", () => {
  const collector = new GatheredPieces();
  const all = countingBytes(MIB);
  for (let at = 0, size = 1; at < MIB; at += size, size = (size * 7) % 300_007) {
    collector.add(all.slice(at, at + size));
  }
  expect(collector.bytes).toBe(MIB);
  expect(Buffer.concat(collector.end()).equals(Buffer.from(all))).toBe(true);
});

test("pieces of a byte each take little more memory than they are long", () => {
  const collector = new GatheredPieces();
  for (let at = 0; at < MIB; at++) collector.add(new Uint8Array([1]));
  const pieces = collector.end();
  const heldBytes = pieces.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  expect(pieces.length).toBeLessThan(20);
  expect(heldBytes).toBeLessThan(1.5 * MIB);
});

test("does not copy a body that arrives in one piece", () => {
  const collector = new GatheredPieces();
  const piece = countingBytes(100);
  collector.add(piece);
  expect(collector.end()[0]).toBe(piece);
});

test("large pieces are not copied, and those between small ones don't leave blocks empty", () => {
  const alike = new GatheredPieces();
  const large = [countingBytes(64 * 1024), countingBytes(64 * 1024), countingBytes(64 * 1024)];
  for (const piece of large) alike.add(piece);
  expect(alike.end().every((piece, index) => piece === large[index])).toBe(true);

  const mixedCollector = new GatheredPieces();
  for (let at = 0; at < 100; at++) {
    mixedCollector.add(new Uint8Array([1]));
    mixedCollector.add(countingBytes(16 * 1024));
  }
  const heldBytes = mixedCollector.end().reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  expect(heldBytes).toBeLessThan(1.5 * mixedCollector.bytes);
});

test("a large piece that is a small part of its memory is copied", () => {
  const collector = new GatheredPieces();
  collector.add(countingBytes(1));
  collector.add(new Uint8Array(MIB).subarray(0, 20_000));
  expect(collector.end().every(({ buffer }) => buffer.byteLength < MIB)).toBe(true);
});
