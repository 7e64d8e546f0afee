import type { Nano } from "@/lib/money/amount";
import type { Idempotency } from "./idempotency";

/** A charged call, or a task, with an idempotency key. */
export interface IdempotentCharge {
  readonly bodyHash: string;
  readonly requestId: string;
  /** The reply's body as it was sent; null if it broke off or was too long to store. */
  readonly reply: string | null;
  readonly charge: Nano;
}

type ScopedKey = Pick<Idempotency, "scope" | "key">;

/** Finds charged calls and tasks by their idempotency keys. `Funds` stores them. */
export interface IdempotentCharges {
  /** @returns null if no call with this key was charged or made a task, even a failed one, after `sinceMs`. */
  find(idempotency: ScopedKey, sinceMs: number): Promise<IdempotentCharge | null>;
  /** Whether a call with this key has an open hold, of any process. */
  isHeld(idempotency: ScopedKey): Promise<boolean>;
}
