/** Secret keys: prefix, 43 random base62 characters, and 6 base62 characters of CRC-32 over everything before. */
type KeyKind = "gk_live_" | "gk_admin_";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^(gk_live_|gk_admin_)([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** CRC-32 (IEEE 802.3) of an ASCII string. */
export function crc32(ascii: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < ascii.length; index++) {
    crc = (crcTable[(crc ^ ascii.charCodeAt(index)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function computeChecksum(text: string): string {
  let digits = "";
  for (let remainder = crc32(text), digit = 0; digit < CHECKSUM_LENGTH; digit++) {
    digits = BASE62[remainder % 62] + digits;
    remainder = Math.floor(remainder / 62);
  }
  return digits;
}

/** Makes a key. Bytes of 248 and above are redrawn, so that the 62 characters are equally likely. */
export function newSecretKey(kind: KeyKind, random: (bytes: number) => Uint8Array): string {
  let text: string = kind;
  while (text.length < kind.length + RANDOM_LENGTH) {
    for (const byte of random(RANDOM_LENGTH)) {
      if (byte < 248 && text.length < kind.length + RANDOM_LENGTH) text += BASE62[byte % 62];
    }
  }
  return text + computeChecksum(text);
}

/** The kind of a well-formed key with a valid checksum; null for anything else, including a mistyped key. */
export function findKeyKind(key: string): KeyKind | null {
  const match = SHAPE.exec(key);
  if (!match) return null;
  return computeChecksum(key.slice(0, -CHECKSUM_LENGTH)) === match[3] ? (match[1] as KeyKind) : null;
}

/** The displayable part of a key: its prefix and last four characters. */
export function redactKey(kind: KeyKind, lastFour: string): string {
  return `${kind}…${lastFour}`;
}
