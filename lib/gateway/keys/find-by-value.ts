import { hashSecret } from "../secrets/hash-secret";
import { isExpired } from "./key-mirror";
import type { FoundKey, KeyStore } from "./key-store";

/** What a key that was found somewhere can still do. */
export type KeyStatus = "active" | "expired" | "revoked";

/** A key by its whole text, which is kept nowhere and hashed at once; null where there never was such a key. */
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
