import { invalid } from "../refusal";

/** How long a repeat of the same key gets what the first one got. */
export const IDEMPOTENCY_MS = 24 * 60 * 60 * 1000;

const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;

/** A repeat of the same key within 24 hours gets what the first one got; with another body it is a conflict. */
export interface Idempotency {
  readonly scope: string;
  readonly key: string;
  readonly bodyHash: string;
}

/** @throws Refusal 400 for a key of the header `Idempotency-Key` that is none. */
export function refuseMalformedKey(key: string | null): void {
  if (key === null || IDEMPOTENCY_KEY.test(key)) return;
  const message = "Idempotency-Key must be 1 to 255 printable characters without spaces.";
  throw invalid("Idempotency-Key", message);
}
