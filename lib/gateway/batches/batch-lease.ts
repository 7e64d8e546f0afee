import { WORK_SURE_MS } from "../claim-times";
import type { Clock } from "../clock";
import type { BatchClaims, BatchProgress } from "./batch-store.sql";

/**
 * A process's lease of a batch, which its claim in the store backs. While it is sure, no other process can have taken
 * the batch over. A process that was paused for too long asks the store before it goes on.
 */
export class BatchLease {
  #isLost = false;
  #renewing: Promise<void> | null = null;
  #sureUntil: { readonly nowMs: number; readonly monotonicMs: number };

  /** Create it before the claim is made. */
  constructor(
    private readonly claims: Pick<BatchClaims, "renew" | "save">,
    private readonly clock: Clock,
    /** Whether its process is known to others as running. */
    private readonly ownsLease: () => boolean,
  ) {
    this.#sureUntil = this.#soon();
  }

  /** Whether another process has taken the batch over. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Resolves to false once another process has taken the batch over. */
  async isHeld(batchId: string): Promise<boolean> {
    while (!this.#isLost && !this.#isSure()) await this.renew(batchId);
    return !this.#isLost;
  }

  renew(batchId: string): Promise<void> {
    this.#renewing ??= this.#extend((nowMs) => this.claims.renew(batchId, nowMs)).finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  /** Stores progress. @returns false, with nothing stored, if another process has taken the batch over. */
  async save(batchId: string, progress: BatchProgress): Promise<boolean> {
    await this.#extend((nowMs) => this.claims.save(batchId, progress, nowMs));
    return !this.#isLost;
  }

  async #extend(store: (nowMs: number) => Promise<boolean>): Promise<void> {
    const sureUntil = this.#soon();
    if (await store(this.clock.nowMs())) this.#sureUntil = sureUntil;
    else this.#isLost = true;
  }

  /** Asks both clocks: one stands still while a machine sleeps, and the other may be set back. */
  #isSure(): boolean {
    const { nowMs, monotonicMs } = this.#sureUntil;
    return this.ownsLease() && this.clock.nowMs() < nowMs && this.clock.monotonicMs() < monotonicMs;
  }

  #soon() {
    return { nowMs: this.clock.nowMs() + WORK_SURE_MS, monotonicMs: this.clock.monotonicMs() + WORK_SURE_MS };
  }
}
