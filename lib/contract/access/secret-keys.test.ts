import { expect, test } from "bun:test";
import fc from "fast-check";
import { crc32, findKeyKind, newSecretKey, redactKey } from "./secret-keys";

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

test("CRC-32 is that of IEEE 802.3", () => {
  expect(crc32("123456789")).toBe(0xcbf43926);
  expect(crc32("")).toBe(0);
});

test("the checksum of keys never changes, so keys in use stay valid", () => {
  const zeros = newSecretKey("gk_live_", (bytes) => new Uint8Array(bytes));
  expect(zeros).toBe(`gk_live_${"0".repeat(43)}3ya2We`);
  expect(findKeyKind(zeros)).toBe("gk_live_");
});

test("a made key is well-formed, and one wrong, missing or swapped character is seen", () => {
  fc.assert(
    fc.property(fc.constantFrom("gk_live_" as const, "gk_admin_" as const), fc.nat(56), (kind, position) => {
      const key = newSecretKey(kind, random);
      expect(findKeyKind(key)).toBe(kind);
      const other = key[position] === "x" ? "y" : "x";
      expect(findKeyKind(key.slice(0, position) + other + key.slice(position + 1))).toBeNull();
      expect(findKeyKind(key.slice(0, position) + key.slice(position + 1))).toBeNull();
    }),
  );
  expect(findKeyKind("")).toBeNull();
  expect(redactKey("gk_live_", "abcd")).toBe("gk_live_…abcd");
});

test("bytes that would favor some characters are drawn again", () => {
  const draws = [new Uint8Array(43).fill(255), new Uint8Array(43).fill(61)];
  expect(newSecretKey("gk_live_", () => draws.shift() ?? new Uint8Array(43))).toStartWith(
    `gk_live_${"z".repeat(43)}`,
  );
});
