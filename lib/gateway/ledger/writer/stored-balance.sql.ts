import type { Database } from "bun:sqlite";
import type { StoredFunds } from "../funds";

/** Nano-units. The balance fits a 64-bit integer. */
export const MAX_BALANCE = 9_000_000_000_000_000_000n;

/**
 * The balance and the held amount in the open transaction: read at its start, and written at its end in one statement
 * that fails if it would take more than there is.
 */
export class StoredBalance {
  readonly #statements;
  #posted = 0n;
  #held = 0n;
  #postedChange = 0n;
  #heldChange = 0n;

  constructor(sqlite: Database) {
    this.#statements = {
      read: sqlite.prepare<{ balance: bigint; held: bigint }, []>(
        "SELECT balance, held FROM accounts WHERE name = 'balance'",
      ),
      change: sqlite.prepare<null, [posted: bigint, held: bigint]>(
        `UPDATE accounts SET balance = balance + ?1, held = held + ?2
         WHERE name = 'balance' AND held + ?2 BETWEEN 0 AND balance + ?1`,
      ),
    };
  }

  /** Including the changes since it was read. */
  get now(): StoredFunds {
    return { posted: this.#posted + this.#postedChange, held: this.#held + this.#heldChange };
  }

  read(): void {
    const { balance = 0n, held = 0n } = this.#statements.read.get() ?? {};
    [this.#posted, this.#held, this.#postedChange, this.#heldChange] = [balance, held, 0n, 0n];
  }

  /** @returns false if the amount exceeds what is available. */
  hold(amount: bigint): boolean {
    const available = this.#posted + this.#postedChange - this.#held - this.#heldChange;
    if (amount > available) return false;
    this.#heldChange += amount;
    return true;
  }

  endHold(amount: bigint): void {
    this.#heldChange -= amount;
  }

  post(amount: bigint): void {
    this.#postedChange += amount;
  }

  /** @throws Error if the balance lacks an amount that is held or taken. */
  write(): void {
    const [posted, held] = [this.#postedChange, this.#heldChange];
    if (posted === 0n && held === 0n) return;
    if (this.#statements.change.run(posted, held).changes === 0) {
      throw new Error(`The balance can't change by ${posted} with ${held} more of it held`);
    }
  }
}
