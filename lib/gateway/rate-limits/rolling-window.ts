import type { LimitWindow } from "@/lib/contract/calls/rate-limit-table";

/**
 * Slots of half a second in a minute, which never has more than 122. Slots of one second in a day, widened up to 512
 * seconds where a project and model are busy in more than 255 of them.
 */
export const windowSlots: Readonly<Record<LimitWindow, { slotMs: number; maxSlots: number }>> = {
  minute: { slotMs: 500, maxSlots: 122 },
  day: { slotMs: 1_000, maxSlots: 256 },
};

const FIRST_CAPACITY = 4;
const GROWTH = 4;
const NO_SLOTS = new Uint32Array(0);

/** How a slot stores its amount: requests fit into 32 bits, tokens are exact up to 2^53. */
type Amounts = Uint32Array | Float64Array;

/**
 * The sum of what was taken in the last `windowMs`, in at most `maxSlots` slots. A slot counts in full until its last
 * instant has left the window, so the sum is never too low, but an amount may be freed up to one slot late
 * (`lib/decisions/calls.md`). Times are monotonic milliseconds, at least 0.
 */
export class RollingWindow {
  /**
   * A ring of the slots before the last one, oldest first. The last slot is separate because most calls touch nothing
   * else.
   */
  #slots = NO_SLOTS;
  #amounts: Amounts;
  #first = 0;
  #count = 0;
  #lastSlot = -1;
  #lastAmount = 0;
  #total = 0;
  #width: number;
  #oldestLeavesAt = Number.POSITIVE_INFINITY;

  constructor(
    readonly windowMs: number,
    readonly slotMs: number,
    readonly maxSlots: number,
    private readonly AmountArray: new (capacity: number) => Amounts = Float64Array,
  ) {
    this.#amounts = new AmountArray(0);
    this.#width = slotMs;
  }

  /** Takes an amount now. The caller has checked that it fits. */
  add(nowMs: number, amount: number): void {
    this.#expire(nowMs);
    if (this.#slotIndex(nowMs) > this.#lastSlot) this.#openSlot(nowMs);
    this.#lastAmount += amount;
    this.#total += amount;
  }

  /** Gives back up to `amount` of what was taken at `takenAtMs`. Does nothing once that time has left the window. */
  refund(takenAtMs: number, amount: number): void {
    const slot = this.#slotIndex(takenAtMs);
    if (slot === this.#lastSlot) {
      const returned = Math.min(amount, this.#lastAmount);
      this.#lastAmount -= returned;
      this.#total -= returned;
      return;
    }
    for (let position = this.#count - 1; position >= 0; position--) {
      const index = this.#at(position);
      const filled = this.#slots[index] ?? 0;
      if (filled < slot) return;
      if (filled > slot) continue;
      const returned = Math.min(amount, this.#amounts[index] ?? 0);
      this.#amounts[index] = (this.#amounts[index] ?? 0) - returned;
      this.#total -= returned;
      return;
    }
  }

  /** Moves everything that was taken to a later time. @param ms a multiple of the slots' width. */
  postpone(ms: number): void {
    const slots = ms / this.#width;
    for (let position = 0; position < this.#count; position++) {
      const index = this.#at(position);
      this.#slots[index] = (this.#slots[index] ?? 0) + slots;
    }
    if (this.#lastSlot >= 0) this.#lastSlot += slots;
    this.#noteOldest();
  }

  used(nowMs: number): number {
    this.#expire(nowMs);
    return this.#total;
  }

  /** Milliseconds until `amount` of the present use has left the window, rounded up; Infinity where less is used. */
  msUntilFree(nowMs: number, amount: number): number {
    if (amount <= 0) return 0;
    this.#expire(nowMs);
    if (amount > this.#total) return Number.POSITIVE_INFINITY;
    let freed = 0;
    for (let position = 0; position < this.#count; position++) {
      const index = this.#at(position);
      freed += this.#amounts[index] ?? 0;
      if (freed >= amount) return Math.ceil(this.#leavesAt(this.#slots[index] ?? 0) - nowMs);
    }
    return Math.ceil(this.#leavesAt(this.#lastSlot) - nowMs);
  }

  /** Milliseconds until the use falls to zero, rounded up. */
  msUntilEmpty(nowMs: number): number {
    this.#expire(nowMs);
    return this.#lastSlot < 0 ? 0 : Math.ceil(this.#leavesAt(this.#lastSlot) - nowMs);
  }

  #expire(nowMs: number): void {
    while (this.#oldestLeavesAt <= nowMs) this.#dropOldest();
  }

  #dropOldest(): void {
    if (this.#count > 0) {
      this.#total -= this.#amounts[this.#first] ?? 0;
      this.#first = this.#at(1);
      this.#count--;
    } else {
      this.#total = 0;
      this.#lastAmount = 0;
      this.#lastSlot = -1;
      this.#width = this.slotMs;
    }
    this.#noteOldest();
  }

  #noteOldest(): void {
    const oldest = this.#count > 0 ? (this.#slots[this.#first] ?? 0) : this.#lastSlot;
    this.#oldestLeavesAt = oldest < 0 ? Number.POSITIVE_INFINITY : this.#leavesAt(oldest);
  }

  /** Makes the slot of `nowMs` the last one. Where slots are widened, it may merge into the last one. */
  #openSlot(nowMs: number): void {
    if (this.#lastSlot >= 0) {
      // The ring and the last slot together are `maxSlots`.
      while (this.#count >= this.#slots.length) {
        if (this.#slots.length < this.maxSlots - 1) this.#grow();
        else this.#widen();
      }
      if (this.#slotIndex(nowMs) <= this.#lastSlot) return;
      this.#append(this.#lastSlot, this.#lastAmount);
    }
    this.#lastSlot = this.#slotIndex(nowMs);
    this.#lastAmount = 0;
    this.#noteOldest();
  }

  #grow(): void {
    const capacity = Math.min(Math.max(this.#slots.length * GROWTH, FIRST_CAPACITY), this.maxSlots - 1);
    const slots = new Uint32Array(capacity);
    const amounts = new this.AmountArray(capacity);
    for (let position = 0; position < this.#count; position++) {
      slots[position] = this.#slots[this.#at(position)] ?? 0;
      amounts[position] = this.#amounts[this.#at(position)] ?? 0;
    }
    this.#slots = slots;
    this.#amounts = amounts;
    this.#first = 0;
  }

  /** Merges each pair of slots into one of twice the width, in place. */
  #widen(): void {
    this.#width *= 2;
    this.#lastSlot = Math.floor(this.#lastSlot / 2);
    const count = this.#count;
    this.#count = 0;
    for (let position = 0; position < count; position++) {
      const slot = Math.floor((this.#slots[this.#at(position)] ?? 0) / 2);
      const amount = this.#amounts[this.#at(position)] ?? 0;
      if (slot === this.#lastSlot) this.#lastAmount += amount;
      else this.#append(slot, amount);
    }
    this.#noteOldest();
  }

  #append(slot: number, amount: number): void {
    const previous = this.#at(this.#count - 1);
    if (this.#count > 0 && this.#slots[previous] === slot) {
      this.#amounts[previous] = (this.#amounts[previous] ?? 0) + amount;
      return;
    }
    const index = this.#at(this.#count++);
    this.#slots[index] = slot;
    this.#amounts[index] = amount;
  }

  #leavesAt(slot: number): number {
    return (slot + 1) * this.#width + this.windowMs;
  }

  #slotIndex(timeMs: number): number {
    return Math.floor(timeMs / this.#width);
  }

  #at(position: number): number {
    return (this.#first + position + this.#slots.length) % this.#slots.length;
  }
}
