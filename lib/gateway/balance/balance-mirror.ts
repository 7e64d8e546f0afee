import { type Nano, toNano, ZERO } from "@/lib/money/amount";

/** The balance in memory, from which holds are granted without asking the store. The store is the truth. */
export class BalanceMirror {
  #posted: Nano;
  #held = ZERO;

  constructor(posted: Nano) {
    this.#posted = posted;
  }

  get posted(): Nano {
    return this.#posted;
  }

  /** Sum of the open holds. */
  get held(): Nano {
    return this.#held;
  }

  get available(): Nano {
    return toNano(this.#posted - this.#held);
  }

  /** @throws RangeError when the balance doesn't cover it: the caller has to look at `available` in the same tick. */
  hold(amount: Nano): void {
    if (amount > this.available) throw new RangeError("A hold must be covered by the available balance");
    this.#held = toNano(this.#held + amount);
  }

  settle(held: Nano, charged: Nano): void {
    if (charged > held) throw new RangeError("A charge must not exceed its hold");
    this.#held = toNano(this.#held - held);
    this.#posted = toNano(this.#posted - charged);
  }

  release(held: Nano): void {
    this.#held = toNano(this.#held - held);
  }

  pay(amount: Nano): void {
    this.#posted = toNano(this.#posted + amount);
  }
}
