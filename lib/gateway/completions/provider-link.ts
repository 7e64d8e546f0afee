import type { OutputLimitField } from "@/lib/contract/operations/providers";
import type { ProviderLimits } from "../models/provider-limits";
import type { ProviderClient } from "../providers/provider-client";
import type { Misconfigurations } from "./misconfigurations";

/** A provider that answered so lately is taken to be there still. */
const ALIVE_MS = 10_000;

/** What the gateway knows of a provider while it runs: how to call it, how many calls it has, and when it last answered. */
export class ProviderLink {
  #answeredAtMs = Number.NEGATIVE_INFINITY;
  #calls = 0;
  #reaching: Promise<void> | null = null;

  constructor(
    readonly client: ProviderClient,
    readonly limits: ProviderLimits,
    readonly outputLimitField: OutputLimitField,
    readonly misconfigurations: Misconfigurations,
  ) {}

  /** Counts one call more; false, and none counted, where there are as many as may be. */
  enter(): boolean {
    if (this.#calls >= this.limits.maxConcurrentRequests) return false;
    this.#calls++;
    return true;
  }

  /** A call that entered is over. */
  leave(): void {
    this.#calls--;
  }

  /** The provider sent something. */
  answered(): void {
    this.#answeredAtMs = performance.now();
  }

  /**
   * Resolves once the provider is known to accept connections; null where it has answered since. All calls of one moment
   * share one look. Rejects with what the network says.
   * @param sinceMs on the clock of `performance.now()`.
   */
  reach(sinceMs = performance.now() - ALIVE_MS): Promise<void> | null {
    if (!this.client.reach || this.#answeredAtMs > sinceMs) return null;
    this.#reaching ??= this.#reach(this.client.reach(this.limits.connectMs));
    return this.#reaching;
  }

  async #reach(reached: Promise<void>): Promise<void> {
    try {
      await reached;
      this.answered();
    } finally {
      this.#reaching = null;
    }
  }
}
