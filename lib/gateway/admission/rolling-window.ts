const FIRST_CAPACITY = 4;

/**
 * The sum of what was taken in the last `windowMs`, kept by slots. A slot counts in full until its last instant has left
 * the window: the sum is never too low, so no window of that length ever exceeds a limit, and what a perfect log would
 * free is free at most one slot later.
 *
 * Memory is at most `maxSlots` slots of twelve bytes. A window with traffic in more slots doubles its slot width, and
 * returns to `slotMs` once it has been empty. Times are milliseconds that never step back, at least 0.
 */
export class RollingWindow {
  #slots = new Uint32Array(FIRST_CAPACITY);
  #amounts = new Float64Array(FIRST_CAPACITY);
  #first = 0;
  #count = 0;
  #total = 0;
  #width: number;

  constructor(
    readonly windowMs: number,
    readonly slotMs: number,
    readonly maxSlots: number,
  ) {
    this.#width = slotMs;
  }

  /** Takes an amount now. Whether it fits was decided before. */
  add(nowMs: number, amount: number): void {
    this.#expire(nowMs);
    this.#total += amount;
    while (!this.#isInLastSlot(nowMs) && this.#count === this.#slots.length) this.#makeRoom();
    if (!this.#isInLastSlot(nowMs)) this.#slots[this.#at(this.#count++)] = this.#slotOf(nowMs);
    const last = this.#at(this.#count - 1);
    this.#amounts[last] = (this.#amounts[last] ?? 0) + amount;
  }

  /** Gives back up to `amount` of what was taken at `takenAtMs`; nothing once that has left the window. */
  giveBack(takenAtMs: number, amount: number): void {
    const slot = this.#slotOf(takenAtMs);
    for (let position = this.#count - 1; position >= 0; position--) {
      const index = this.#at(position);
      const found = this.#slots[index] ?? 0;
      if (found < slot) return;
      if (found > slot) continue;
      const returned = Math.min(amount, this.#amounts[index] ?? 0);
      this.#amounts[index] = (this.#amounts[index] ?? 0) - returned;
      this.#total -= returned;
      return;
    }
  }

  used(nowMs: number): number {
    this.#expire(nowMs);
    return this.#total;
  }

  /** Milliseconds until `amount` of what is used now has left the window, rounded up; Infinity when less is used. */
  msUntilFree(nowMs: number, amount: number): number {
    this.#expire(nowMs);
    let freed = 0;
    for (let position = 0; position < this.#count && freed < amount; position++) {
      const index = this.#at(position);
      freed += this.#amounts[index] ?? 0;
      if (freed >= amount) return Math.ceil(this.#leavesAt(index) - nowMs);
    }
    return amount <= 0 ? 0 : Number.POSITIVE_INFINITY;
  }

  /** Milliseconds until nothing is used, rounded up. */
  msUntilEmpty(nowMs: number): number {
    this.#expire(nowMs);
    return this.#count === 0 ? 0 : Math.ceil(this.#leavesAt(this.#at(this.#count - 1)) - nowMs);
  }

  #expire(nowMs: number): void {
    while (this.#count > 0 && this.#leavesAt(this.#first) <= nowMs) {
      this.#total -= this.#amounts[this.#first] ?? 0;
      this.#amounts[this.#first] = 0;
      this.#first = this.#at(1);
      this.#count--;
    }
    if (this.#count === 0) this.#width = this.slotMs;
  }

  #leavesAt(index: number): number {
    return ((this.#slots[index] ?? 0) + 1) * this.#width + this.windowMs;
  }

  #slotOf(timeMs: number): number {
    return Math.floor(timeMs / this.#width);
  }

  #at(position: number): number {
    return (this.#first + position + this.#slots.length) % this.#slots.length;
  }

  #isInLastSlot(timeMs: number): boolean {
    return this.#count > 0 && this.#slotOf(timeMs) <= (this.#slots[this.#at(this.#count - 1)] ?? 0);
  }

  #makeRoom(): void {
    const capacity = Math.min(this.#slots.length * 2, this.maxSlots);
    this.#rebuild(capacity, capacity > this.#slots.length ? 1 : 2);
  }

  /** Copies the slots, oldest first, into arrays of `capacity`; `widening` of them become one. */
  #rebuild(capacity: number, widening: 1 | 2): void {
    const slots = new Uint32Array(capacity);
    const amounts = new Float64Array(capacity);
    let count = 0;
    for (let position = 0; position < this.#count; position++) {
      const index = this.#at(position);
      const slot = Math.floor((this.#slots[index] ?? 0) / widening);
      if (count === 0 || slots[count - 1] !== slot) slots[count++] = slot;
      amounts[count - 1] = (amounts[count - 1] ?? 0) + (this.#amounts[index] ?? 0);
    }
    this.#slots = slots;
    this.#amounts = amounts;
    this.#first = 0;
    this.#count = count;
    this.#width *= widening;
  }
}
