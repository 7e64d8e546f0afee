import { hashSecret } from "../secrets/hash-secret";
import { isExpired } from "./key-mirror";
import type { FoundKey, KeyStore } from "./key-store";

/** What a key that was found somewhere can still do. */
type KeyStatus = "active" | "expired" | "revoked";

/** Finds a key by its whole text, which is hashed at once and never stored; null if no such key ever existed. */
export async function findByValue(
  keys: Pick<KeyStore, "findByHash">,
  value: string,
  nowMs: number,
): Promise<{ found: FoundKey; status: KeyStatus } | null> {
  const key = await keys.findByHash(hashSecret(value.trim()));
  if (!key) return null;
  const hasExpired = isExpired(key.key, nowMs);
  return { found: key, status: key.revokedAtMs !== null ? "revoked" : hasExpired ? "expired" : "active" };
}
