import { expect, test } from "bun:test";
import { GatheredPieces } from "./gathered-pieces";

const MIB = 1024 * 1024;
const bytesOf = (size: number, from = 0) => Uint8Array.from({ length: size }, (_, index) => from + index);

test("preserves the order of bytes, however they are split", () => {
  const gathered = new GatheredPieces();
  const all = bytesOf(MIB);
  for (let at = 0, size = 1; at < MIB; at += size, size = (size * 7) % 300_007) {
    gathered.add(all.slice(at, at + size));
  }
  expect(gathered.bytes).toBe(MIB);
  expect(Buffer.concat(gathered.end()).equals(Buffer.from(all))).toBe(true);
});

test("pieces of a byte each take little more memory than they are long", () => {
  const gathered = new GatheredPieces();
  for (let at = 0; at < MIB; at++) gathered.add(new Uint8Array([1]));
  const pieces = gathered.end();
  const held = pieces.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  expect(pieces.length).toBeLessThan(20);
  expect(held).toBeLessThan(1.5 * MIB);
});

test("does not copy a body that arrives in one piece", () => {
  const gathered = new GatheredPieces();
  const piece = bytesOf(100);
  gathered.add(piece);
  expect(gathered.end()[0]).toBe(piece);
});

test("large pieces are not copied, and those between small ones don't leave blocks empty", () => {
  const alike = new GatheredPieces();
  const large = [bytesOf(64 * 1024), bytesOf(64 * 1024), bytesOf(64 * 1024)];
  for (const piece of large) alike.add(piece);
  expect(alike.end().every((piece, index) => piece === large[index])).toBe(true);

  const mixed = new GatheredPieces();
  for (let at = 0; at < 100; at++) {
    mixed.add(new Uint8Array([1]));
    mixed.add(bytesOf(16 * 1024));
  }
  const held = mixed.end().reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  expect(held).toBeLessThan(1.5 * mixed.bytes);
});

test("a large piece that is a small part of its memory is copied", () => {
  const gathered = new GatheredPieces();
  gathered.add(bytesOf(1));
  gathered.add(new Uint8Array(MIB).subarray(0, 20_000));
  expect(gathered.end().every(({ buffer }) => buffer.byteLength < MIB)).toBe(true);
});
