import { createHmac } from "node:crypto";

/**
 * The code that an app shows for a key URI (RFC 6238: SHA-1, six digits, 30 s), shifted by some periods. `nowMs` is the
 * app's clock.
 */
export function computeOneTimeCode(otpauthUri: string, halfMinutes = 0, nowMs = Date.now()): string {
  const secret = base32(new URL(otpauthUri).searchParams.get("secret") ?? "");
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000) + halfMinutes));
  const hash = createHmac("sha1", secret).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

function base32(text: string): Buffer {
  const bits = [...text].map((sign) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(sign).toString(2).padStart(5, "0"),
  );
  return Buffer.from((bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
