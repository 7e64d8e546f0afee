import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { ClockAndRandom } from "../clock";
import type { TOKEN_PREFIXES } from "../secrets/secret";

const PREFIX: (typeof TOKEN_PREFIXES)[number] = "gc_";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type Purpose = "sign-in challenge" | "single sign-on";

interface Context {
  /** 32 bytes. */
  readonly secret: Uint8Array;
  readonly runtime: ClockAndRandom;
}

/**
 * Encrypts state between two requests (AES-256-GCM with a key for the purpose), so that the client keeps it and
 * strangers can't fill the gateway's memory.
 */
export function sealToken(
  purpose: Purpose,
  value: { readonly expiresAtMs: number },
  { secret, runtime }: Context,
): string {
  const nonce = runtime.random(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(secret, purpose), nonce);
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
  return PREFIX + Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString("base64url");
}

/** Null for a token that was not sealed for this purpose with this secret, was modified, or has expired. */
export function openToken<Value extends { readonly expiresAtMs: number }>(
  purpose: Purpose,
  token: string,
  { secret, runtime }: Context,
): Value | null {
  const bytes = Buffer.from(token.slice(PREFIX.length), "base64url");
  if (!token.startsWith(PREFIX) || bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
  const value = decrypt(deriveKey(secret, purpose), bytes) as Value | null;
  return value && value.expiresAtMs > runtime.clock.nowMs() ? value : null;
}

function deriveKey(secret: Uint8Array, purpose: Purpose): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", `gatehouse ${purpose}`, 32));
}

function decrypt(key: Uint8Array, bytes: Buffer): unknown {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const plainParts = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
    return JSON.parse(Buffer.concat(plainParts).toString("utf8"));
  } catch {
    return null;
  }
}
