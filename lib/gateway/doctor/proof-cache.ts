import type { Reconciliation } from "../ledger/reconciliation";

/** A proof this recent is returned again. */
const FRESH_MS = 2_000;
/**
 * A whole proof takes long, so that its reader may be away when it ends. It is kept this long until somebody has read
 * it.
 */
const UNREAD_MS = 600_000;

/** Keeps the last proof of the books. Times are in milliseconds of one monotonic clock. */
export class ProofCache {
  #last: { readonly proof: Reconciliation; readonly isWhole: boolean; readonly endedMs: number } | null =
    null;
  #isRead = true;

  put(proof: Reconciliation, { isWhole, endedMs }: { isWhole: boolean; endedMs: number }): void {
    this.#last = { proof, isWhole, endedMs };
    this.#isRead = false;
  }

  /** Notes that a request that waited for the proof has got it. */
  markRead(): void {
    this.#isRead = true;
  }

  /** Returns the proof that answers a request without a new one; null if there is none. */
  read({ isWhole, nowMs }: { isWhole: boolean; nowMs: number }): Reconciliation | null {
    const last = this.#last;
    if (!last || (isWhole && !last.isWhole)) return null;
    const keptMs = last.isWhole && !this.#isRead ? UNREAD_MS : FRESH_MS;
    if (nowMs - last.endedMs >= keptMs) return null;
    this.#isRead = true;
    return last.proof;
  }
}
