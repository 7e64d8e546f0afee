import { SealBrokenError, seal, unseal } from "../database/seal";
import { Secret } from "../secrets/secret";
import type { Idempotency } from "./idempotency";

type ScopedKey = Pick<Idempotency, "scope" | "key">;

const SEALED = /^v\d+\./;

/** Seals a reply for repeats, so that it opens only with its idempotency key. */
export function sealReply(
  reply: string,
  idempotency: ScopedKey,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
): string {
  return seal(new Secret(reply), describeSealedReply(idempotency), sealing);
}

/**
 * Null for a reply that was sealed with another secret. A reply from before sealing was introduced is returned
 * unchanged.
 */
export function openReply(sealedReply: string, idempotency: ScopedKey, key: Uint8Array): string | null {
  if (!SEALED.test(sealedReply)) return sealedReply;
  try {
    return unseal(sealedReply, describeSealedReply(idempotency), key).reveal();
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}

function describeSealedReply({ scope, key }: ScopedKey): string {
  return `idempotency ${scope} ${key}`;
}
