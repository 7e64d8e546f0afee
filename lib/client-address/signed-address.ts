import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** The header in which the console sends the gateway its browser's address. */
export const CLIENT_ADDRESS_HEADER = "x-gatehouse-client-address";

/** The maximum difference between the clocks of two machines. */
const MAX_AGE_MS = 5 * 60_000;

/**
 * Signs an address, so that only a holder of `secret` (32 bytes) can produce it: `time.signature.address`, with the
 * time in Unix milliseconds and the signature as HMAC-SHA-256 in base64url.
 */
export function signAddress(address: string, secret: Uint8Array, nowMs: number): string {
  const signedText = `${nowMs}.${address}`;
  return `${nowMs}.${computeSignature(signedText, secret).toString("base64url")}.${address}`;
}

/** Returns the signed address; null for anything else, and for a time more than five minutes ago or ahead. */
export function readSignedAddress(text: string, secret: Uint8Array, nowMs: number): string | null {
  const [, time, signature = "", address] =
    /^(\d{1,15})\.([\w-]{43})\.([0-9A-Fa-f.:]{2,45})$/.exec(text) ?? [];
  if (time === undefined || Math.abs(nowMs - Number(time)) > MAX_AGE_MS) return null;
  const expected = computeSignature(`${time}.${address}`, secret);
  const given = Buffer.from(signature, "base64url");
  const isSame = given.length === expected.length && timingSafeEqual(given, expected);
  return isSame ? (address ?? null) : null;
}

function computeSignature(said: string, secret: Uint8Array): Buffer {
  const key = hkdfSync("sha256", secret, new Uint8Array(), "gatehouse client address", 32);
  return createHmac("sha256", new Uint8Array(key)).update(said).digest();
}
