import type { Idempotency } from "../../balance/idempotency";
import { Secret } from "../../secrets/secret";
import { SealBrokenError, seal, unseal } from "../seal";

type Named = Pick<Idempotency, "scope" | "key">;

const SEALED = /^v\d+\./;

/** Seals a reply for repeats, so that it opens only with its idempotency key. */
export function sealReply(
  reply: string,
  idempotency: Named,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
): string {
  return seal(new Secret(reply), ownerOf(idempotency), sealing);
}

/**
 * Null for a reply that was sealed with another secret. A reply from before sealing was introduced is returned unchanged.
 */
export function openReply(kept: string, idempotency: Named, key: Uint8Array): string | null {
  if (!SEALED.test(kept)) return kept;
  try {
    return unseal(kept, ownerOf(idempotency), key).reveal();
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}

function ownerOf({ scope, key }: Named): string {
  return `idempotency ${scope} ${key}`;
}
