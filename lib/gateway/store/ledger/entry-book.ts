import type { Database } from "bun:sqlite";
import type { Payment } from "../../balance/funds";
import {
  CHAINED_COLUMNS,
  type ChainedValues,
  FIRST_BATCH_HASH,
  hashOfBatch,
} from "../../balance/ledger-chain";
import type { StoredBalance } from "./stored-balance";

export type Account = "payments" | "balance" | "charges" | "provider_variance";
type Value = ChainedValues[number];

/** An entry's values as they are chained, what is no part of the chain, and what the balance comes to with it. */
interface Entry {
  readonly values: ChainedValues;
  /** Not kept as long as the entry. */
  readonly trace: string | null;
  readonly balanceAfter: bigint;
}

/** Those from `basis` to `duration_ms`. */
const CALL_COLUMNS = CHAINED_COLUMNS.indexOf("reference") - CHAINED_COLUMNS.indexOf("basis");
const NO_CALL = Array.from({ length: CALL_COLUMNS }, () => null);
/** The values from `unit` to `unit_price` of what was not charged by the unit. */
export const NOTHING_MADE = [null, null, null] as const;
/** The values from `provider` on of what came without one. */
const NO_PROVIDER = [null, null, ...NOTHING_MADE] as const;

/** What is known of a charged call besides what it is charged by; null where that is not known. */
interface ChargedCall {
  readonly provider: string | null;
  readonly cachedTokens: number | null;
  readonly trace: string | null;
  /** The values from `unit` to `unit_price`. */
  readonly made: readonly Value[];
}

/**
 * The entries of one batch and what they move between the accounts, both written at its end, that of the balance by `balance`. The
 * last entry carries the hash of the batch, which is chained to that of the batch before, whichever process wrote it.
 */
export class EntryBook {
  readonly #moves = new Map<Account, bigint>();
  readonly #statements;
  #entries: Entry[] = [];

  constructor(
    sqlite: Database,
    private readonly balance: StoredBalance,
  ) {
    const names = [...CHAINED_COLUMNS, "trace", "balance_after", "hash"];
    this.#statements = {
      insert: sqlite.prepare<null, (Value | Uint8Array)[]>(
        `INSERT INTO ledger_entries (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      ),
      lastHash: sqlite.prepare<{ hash: Uint8Array | null }, []>(
        "SELECT hash FROM ledger_entries ORDER BY seq DESC LIMIT 1",
      ),
      move: sqlite.prepare<null, [bigint, Account]>(
        "UPDATE accounts SET balance = balance + ? WHERE name = ?",
      ),
    };
  }

  /** To be asked before a batch: what an undone one left is forgotten. */
  clear(): void {
    this.#moves.clear();
    this.#entries = [];
  }

  /** `call` has the values from `created_at_ms` to `duration_ms`. */
  charge(
    id: string,
    amount: bigint,
    call: readonly Value[],
    { provider, cachedTokens, trace, made }: ChargedCall,
  ): void {
    this.#move("balance", "charges", amount);
    this.#add(["charge", id, amount, ...call, null, provider, cachedTokens, ...made], trace);
  }

  /** `call` has the values from `created_at_ms` to `rate`. */
  variance(id: string, amount: bigint, call: readonly Value[]): void {
    const rest = NO_CALL.slice(call.length - 1);
    this.#move("provider_variance", "charges", amount);
    this.#add(["provider_variance", id, amount, ...call, ...rest, null, ...NO_PROVIDER]);
  }

  payment({ id, amount, createdAtMs, reference }: Payment): void {
    this.#move("payments", "balance", amount);
    this.#add(["payment", id, amount, createdAtMs, ...NO_CALL, reference, ...NO_PROVIDER]);
  }

  /** To be called once its amount is moved. */
  #add(values: ChainedValues, trace: string | null = null): void {
    this.#entries.push({ values, trace, balanceAfter: this.balance.now.posted });
  }

  write(): void {
    if (this.#entries.length === 0) return;
    const previous = this.#statements.lastHash.get()?.hash ?? FIRST_BATCH_HASH;
    const chained = this.#entries.map(({ values }) => values);
    const hash = hashOfBatch(previous, chained);
    const last = this.#entries.length - 1;
    for (const [index, { values, trace, balanceAfter }] of this.#entries.entries()) {
      this.#statements.insert.run(...values, trace, balanceAfter, index === last ? hash : null);
    }
    for (const [account, amount] of this.#moves) this.#statements.move.run(amount, account);
    this.clear();
  }

  /** The accounts of a batch are moved once, at its end. */
  #move(from: Account, to: Account, amount: bigint): void {
    if (from === "balance") this.balance.post(-amount);
    else this.#moves.set(from, (this.#moves.get(from) ?? 0n) - amount);
    if (to === "balance") this.balance.post(amount);
    else this.#moves.set(to, (this.#moves.get(to) ?? 0n) + amount);
  }
}
