import type { Database } from "bun:sqlite";
import type { Payment } from "../balance/funds";
import { CHAINED_COLUMNS, type ChainedValues, FIRST_BATCH_HASH, hashOfBatch } from "../balance/ledger-chain";

export type Account = "payments" | "balance" | "charges" | "provider_variance";
type Value = ChainedValues[number];

const CALL_COLUMNS = CHAINED_COLUMNS.length - 5;
const NO_CALL = Array.from({ length: CALL_COLUMNS }, () => null);

/**
 * The entries of one batch and what they move between the accounts, both written at its end. The last entry carries the
 * hash of the batch, which is chained to that of the batch before.
 */
export class EntryBook {
  readonly #moves = new Map<Account, bigint>();
  readonly #statements;
  #entries: ChainedValues[] = [];
  #lastHash: Uint8Array = FIRST_BATCH_HASH;
  #posted = 0n;

  constructor(sqlite: Database) {
    const names = [...CHAINED_COLUMNS, "hash"];
    this.#statements = {
      insert: sqlite.prepare<null, (Value | Uint8Array)[]>(
        `INSERT INTO ledger_entries (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      ),
      balance: sqlite.prepare<{ balance: bigint }, []>("SELECT balance FROM accounts WHERE name = 'balance'"),
      lastHash: sqlite.prepare<{ hash: Uint8Array | null }, []>(
        "SELECT hash FROM ledger_entries ORDER BY seq DESC LIMIT 1",
      ),
      /** Takes from an account only what it has, where it is the balance. */
      moveOut: sqlite.prepare<null, [bigint, Account, Account, bigint]>(
        "UPDATE accounts SET balance = balance - ? WHERE name = ? AND (? <> 'balance' OR balance >= ?)",
      ),
      moveIn: sqlite.prepare<null, [bigint, Account]>(
        "UPDATE accounts SET balance = balance + ? WHERE name = ?",
      ),
    };
  }

  /** The balance after what has been entered so far. */
  get posted(): bigint {
    return this.#posted;
  }

  reload(): void {
    this.#moves.clear();
    this.#entries = [];
    this.#posted = this.#statements.balance.get()?.balance ?? 0n;
    this.#lastHash = this.#statements.lastHash.get()?.hash ?? FIRST_BATCH_HASH;
  }

  /** `call` has the values from `created_at_ms` to `duration_ms`. */
  charge(id: string, amount: bigint, call: readonly Value[]): void {
    this.#entries.push(["charge", id, amount, ...call, null]);
    this.#move("balance", "charges", amount);
  }

  /** `call` has the values from `created_at_ms` to `rate`. */
  variance(id: string, amount: bigint, call: readonly Value[]): void {
    const rest = NO_CALL.slice(call.length - 1);
    this.#entries.push(["provider_variance", id, amount, ...call, ...rest, null]);
    this.#move("provider_variance", "charges", amount);
  }

  payment({ id, amount, createdAtMs, reference }: Payment): void {
    this.#entries.push(["payment", id, amount, createdAtMs, ...NO_CALL, reference]);
    this.#move("payments", "balance", amount);
  }

  /** @throws Error where an account does not have what is taken from it. */
  write(): void {
    if (this.#entries.length === 0) return;
    const hash = hashOfBatch(this.#lastHash, this.#entries);
    const last = this.#entries.length - 1;
    for (const [index, values] of this.#entries.entries()) {
      this.#statements.insert.run(...values, index === last ? hash : null);
    }
    this.#bookMoves();
    this.#entries = [];
    this.#lastHash = hash;
  }

  #move(from: Account, to: Account, amount: bigint): void {
    this.#moves.set(from, (this.#moves.get(from) ?? 0n) - amount);
    this.#moves.set(to, (this.#moves.get(to) ?? 0n) + amount);
    if (to === "balance") this.#posted += amount;
    if (from === "balance") this.#posted -= amount;
  }

  /** The accounts of a batch are moved once, at its end. */
  #bookMoves(): void {
    for (const [account, amount] of this.#moves) {
      if (amount >= 0n) this.#statements.moveIn.run(amount, account);
      else if (this.#statements.moveOut.run(-amount, account, account, -amount).changes === 0) {
        throw new Error(`The account ${account} does not have ${-amount}`);
      }
    }
    this.#moves.clear();
  }
}
