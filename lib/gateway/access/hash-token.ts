import { kindOfSecretKey } from "@/lib/contract/secret-keys";
import { hashSecret } from "../secrets/hash-secret";

/** Longer than any token. */
const MAX_LENGTH = 200;
const MAX_KNOWN = 10_000;

/** Hashes of tokens that were valid. Every call checks whether they still are, so a revoked key stops at once. */
const known = new Map<string, string>();

/**
 * The hash a token is stored and looked up by; null for a key whose checksum is wrong.
 * Anything that doesn't begin like a key is a session's token, and has no checksum.
 */
export function hashToken(token: string): string | null {
  const found = known.get(token);
  if (found !== undefined) return found;
  if (token.length > MAX_LENGTH) return null;
  if (token.startsWith("gk_") && kindOfSecretKey(token) === null) return null;
  return hashSecret(token);
}

/** Remembers a valid token's hash. Other tokens are never kept, since strangers choose what they send. */
export function rememberToken(token: string, hash: string): void {
  if (known.has(token)) return;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(token, hash);
}
