import { findKeyKind } from "@/lib/contract/secret-keys";
import { hashSecret } from "../secrets/hash-secret";

/** Longer than any token. */
const MAX_LENGTH = 200;
const MAX_KNOWN = 10_000;

/** Hashes of tokens that were valid. Every call still checks validity, so a revoked key stops working at once. */
const hashByToken = new Map<string, string>();

/**
 * The hash that a token is stored and looked up by; null for a key with a wrong checksum. Tokens without a key's prefix
 * are session tokens and have no checksum.
 */
export function hashToken(token: string): string | null {
  const cached = hashByToken.get(token);
  if (cached !== undefined) return cached;
  if (token.length > MAX_LENGTH) return null;
  if (token.startsWith("gk_") && findKeyKind(token) === null) return null;
  return hashSecret(token);
}

/** Caches a valid token's hash. Other tokens are never cached, since anyone can send them. */
export function rememberToken(token: string, hash: string): void {
  if (hashByToken.has(token)) return;
  if (hashByToken.size >= MAX_KNOWN) hashByToken.clear();
  hashByToken.set(token, hash);
}
