import type { ProviderLimits } from "../models/provider-limits";

interface Watcher {
  /** The provider has said nothing for as long as a connection may take. */
  onSilence(): void;
  /** The provider's time is over. */
  onExpiry(): void;
}

/** The deadlines of one call from the moment it is sent. One timer runs, and is left alone while the provider gets on. */
export class CallDeadlines {
  readonly sentAtMs = performance.now();
  #dueAtMs: number;
  #firesAtMs = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #hasAnswered = false;

  constructor(
    private readonly limits: ProviderLimits,
    private readonly watcher: Watcher,
  ) {
    this.#dueAtMs = this.sentAtMs + Math.min(limits.firstByteMs, limits.totalMs);
    this.#wakeAt(Math.min(this.sentAtMs + limits.connectMs, this.#dueAtMs), this.sentAtMs);
  }

  /** The provider has got on with it, and has its idle time again, within its whole time. */
  progress(): void {
    const now = performance.now();
    this.#hasAnswered = true;
    this.#dueAtMs = Math.min(now + this.limits.idleMs, this.sentAtMs + this.limits.totalMs);
    if (this.#dueAtMs >= this.#firesAtMs) return;
    this.clear();
    this.#wakeAt(this.#dueAtMs, now);
  }

  clear(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #wakeAt(atMs: number, now: number): void {
    this.#firesAtMs = atMs;
    this.#timer = setTimeout(() => this.#wake(), Math.ceil(atMs - now));
  }

  #wake(): void {
    const now = performance.now();
    if (now >= this.#dueAtMs) {
      this.watcher.onExpiry();
      return;
    }
    this.#wakeAt(this.#dueAtMs, now);
    if (!this.#hasAnswered) this.watcher.onSilence();
  }
}
