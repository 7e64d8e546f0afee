import { hashSecret } from "../secrets/hash-secret";
import { isExpired } from "./key-mirror";
import type { FoundKey, KeyStore } from "./key-store";

/** What a key that was found somewhere can still do. */
export type KeyStatus = "active" | "expired" | "revoked";

/** Finds a key by its whole text, which is hashed at once and never stored; null where no such key ever existed. */
export async function findByValue(
  keys: Pick<KeyStore, "findByHash">,
  value: string,
  nowMs: number,
): Promise<{ found: FoundKey; status: KeyStatus } | null> {
  const found = await keys.findByHash(hashSecret(value.trim()));
  if (!found) return null;
  const hasExpired = isExpired(found.key, nowMs);
  return { found, status: found.revokedAtMs !== null ? "revoked" : hasExpired ? "expired" : "active" };
}
