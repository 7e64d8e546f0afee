/** A past call, or a group of refused ones of which one was stored. Times are Unix milliseconds. */
export interface Arrival {
  readonly atMs: number;
  /** When it ended, and its tokens were known; null where it hasn't, or was refused. */
  readonly endMs: number | null;
  /** The tokens that it took at admission. */
  readonly estimated: number;
  /** The tokens that counted in the end. */
  readonly counted: number;
  /** Whether it still counts as a request in the end: one that wasn't sent to a provider doesn't. */
  readonly isSent: boolean;
  readonly batchTokens: number;
  readonly wasRefused: boolean;
  /** How many calls it stands for. */
  readonly times: number;
  readonly keyId: string;
  /** The id of its receipt; null where none is stored. */
  readonly requestId: string | null;
}

/** Arrivals by the time at which they end. */
export class EndQueue {
  readonly #heap: Arrival[] = [];

  add(arrival: Arrival): void {
    const heap = this.#heap;
    heap.push(arrival);
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfLater(parent, at)) return;
      at = parent;
    }
  }

  /** The next one that ends by then, which leaves the queue; undefined if none does. */
  takeEnded(untilMs: number): Arrival | undefined {
    const heap = this.#heap;
    const [first] = heap;
    if (!first || (first.endMs ?? 0) > untilMs) return undefined;
    const last = heap.pop();
    if (last && heap.length > 0) {
      heap[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      if (left >= this.#heap.length) return;
      const child = right < this.#heap.length && this.#endOf(right) < this.#endOf(left) ? right : left;
      if (!this.#swapIfLater(at, child)) return;
      at = child;
    }
  }

  #endOf(at: number): number {
    return this.#heap[at]?.endMs ?? 0;
  }

  #swapIfLater(parent: number, child: number): boolean {
    const [one, other] = [this.#heap[parent], this.#heap[child]];
    if (!one || !other || (one.endMs ?? 0) <= (other.endMs ?? 0)) return false;
    this.#heap[parent] = other;
    this.#heap[child] = one;
    return true;
  }
}
