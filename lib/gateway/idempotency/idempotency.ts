import { DAY_MS } from "@/lib/contract/durations";
import { invalid } from "../refusal";

/** How long a repeated key gets the reply of its first request. */
export const IDEMPOTENCY_MS = DAY_MS;

const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;

/**
 * An idempotency key with the hash of its request. A repeat within 24 hours gets the first reply; a different body is a
 * conflict.
 */
export interface Idempotency {
  readonly scope: string;
  readonly key: string;
  readonly bodyHash: string;
}

/** SHA-256 of a request's body, in hexadecimal. */
export function hashBody(body: string): string {
  return new Bun.CryptoHasher("sha256").update(body).digest("hex");
}

/** The scope of a call's key: keys of other callers and projects are different ones. */
export function formatIdempotencyScope(projectId: string, callerId: string): string {
  return `${projectId} ${callerId}`;
}

/** @throws Refusal 400 if the header `Idempotency-Key` is malformed. */
export function refuseMalformedKey(key: string | null): void {
  if (key === null || IDEMPOTENCY_KEY.test(key)) return;
  const message = "Idempotency-Key must be 1 to 255 printable characters without spaces.";
  throw invalid("Idempotency-Key", message);
}
