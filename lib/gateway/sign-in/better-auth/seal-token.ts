import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { TOKEN_PREFIXES } from "../../secrets/new-token";

const PREFIX: (typeof TOKEN_PREFIXES)[number] = "gc_";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The fields of a sealed token, including its expiry. */
interface Passing {
  readonly expiresAtMs: number;
}

interface TokenSeal<Value extends Passing> {
  close(value: Value): string;
  /** Null for anything that was not sealed for this purpose with this secret, was modified, or has expired. */
  open(token: string, nowMs: number): Value | null;
}

/**
 * Encrypts state between two requests (AES-256-GCM with a derived key), so that the client keeps it instead of the
 * gateway. `secret` is 32 bytes.
 */
export function sealTokens<Value extends Passing>(
  purpose: string,
  { secret, random }: { secret: Uint8Array; random: (bytes: number) => Uint8Array },
): TokenSeal<Value> {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", `gatehouse ${purpose}`, 32));
  return {
    close(value) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const sealedBytes = [
        nonce,
        cipher.update(JSON.stringify(value), "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ];
      return PREFIX + Buffer.concat(sealedBytes).toString("base64url");
    },
    open(token, nowMs) {
      const bytes = Buffer.from(token.slice(PREFIX.length), "base64url");
      if (!token.startsWith(PREFIX) || bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
      const value = decrypt(key, bytes) as Value | null;
      return value && value.expiresAtMs > nowMs ? value : null;
    },
  };
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
