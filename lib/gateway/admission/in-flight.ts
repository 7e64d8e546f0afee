/** How many calls are in flight, in the whole process and by key. */
export class InFlight {
  readonly #byKey = new Map<string, number>();
  #total = 0;

  /** @param max calls in flight at once: of the process, and of each key. */
  constructor(readonly max: number) {}

  get total(): number {
    return this.#total;
  }

  count(keyId: string): number {
    return this.#byKey.get(keyId) ?? 0;
  }

  hasRoom(keyId: string): boolean {
    return this.#total < this.max && this.count(keyId) < this.max;
  }

  enter(keyId: string): void {
    this.#total++;
    this.#byKey.set(keyId, (this.#byKey.get(keyId) ?? 0) + 1);
  }

  leave(keyId: string): void {
    this.#total--;
    const remaining = (this.#byKey.get(keyId) ?? 0) - 1;
    if (remaining > 0) this.#byKey.set(keyId, remaining);
    else this.#byKey.delete(keyId);
  }
}
