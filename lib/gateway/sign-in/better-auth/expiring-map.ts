import type { Clock } from "../../clock";

const MAX_ENTRIES = 10_000;

/** A map whose values expire. Beyond its maximum size the oldest entry is dropped. */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, { value: Value; endsAtMs: number }>();

  constructor(private readonly clock: Clock) {}

  get(name: string): Value | null {
    const entry = this.#entries.get(name);
    if (entry && entry.endsAtMs > this.clock.monotonicMs()) return entry.value;
    this.#entries.delete(name);
    return null;
  }

  /** Returns a value and removes it. */
  take(name: string): Value | null {
    const value = this.get(name);
    this.#entries.delete(name);
    return value;
  }

  set(name: string, value: Value, lifetimeMs: number): void {
    this.#entries.delete(name);
    this.#entries.set(name, { value, endsAtMs: this.clock.monotonicMs() + lifetimeMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Increments a counter. The first increment starts its lifetime. */
  increment(this: ExpiringMap<string>, name: string, lifetimeMs: number): number {
    const count = Number(this.get(name) ?? 0) + 1;
    const entry = this.#entries.get(name);
    if (entry) entry.value = String(count);
    else this.set(name, String(count), lifetimeMs);
    return count;
  }

  delete(name: string): void {
    this.#entries.delete(name);
  }
}
