import { kindOfSecretKey } from "@/lib/contract/secret-keys";
import { hashSecret } from "../secrets/hash-secret";

/** Longer than any token there is. */
const MAX_LENGTH = 200;
const MAX_KNOWN = 10_000;

/** Hashes of tokens that opened something. Whether they still do is asked on every call, so a revoked key is gone at once. */
const known = new Map<string, string>();

/**
 * The hash a token is stored and looked up by; null for a mistyped key, which its checksum gives away before any look-up.
 * Anything that doesn't begin like a key is a session's token, and has no checksum.
 */
export function hashToken(token: string): string | null {
  const found = known.get(token);
  if (found !== undefined) return found;
  if (token.length > MAX_LENGTH) return null;
  if (token.startsWith("gk_") && kindOfSecretKey(token) === null) return null;
  return hashSecret(token);
}

/** Spares a token that has opened something its next hash. Others are never kept: strangers choose what they send. */
export function rememberToken(token: string, hash: string): void {
  if (known.has(token)) return;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(token, hash);
}
