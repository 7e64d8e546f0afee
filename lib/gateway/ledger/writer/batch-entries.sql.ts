import type { Database } from "bun:sqlite";
import type { Nano } from "@/lib/money/amount";
import type { HoldDraft, Settlement, StoredFunds } from "../funds";
import {
  CHAINED_COLUMNS,
  type ChainedValues,
  describeCharge,
  describeVariance,
  FIRST_BATCH_HASH,
  hashBatch,
  type LedgerRow,
  toChainedValues,
} from "../ledger-row";
import type { Correction, Payment } from "../payments/posting";

export type Account = "payments" | "balance" | "charges" | "provider_variance";

/** An entry with what its batch's hash doesn't cover. */
interface PendingEntry {
  readonly values: ChainedValues;
  /** Set to null once the request log no longer covers the call. */
  readonly trace: string | null;
  readonly balanceAfter: bigint;
}

/** The accounts of a correction: those of the corrected entry in reverse. */
const PAYMENT_BACK = ["balance", "payments"] as const;
const CHARGE_BACK = ["charges", "balance"] as const;

/** A correction with its amount. */
export interface CorrectionPosting extends Correction {
  readonly amount: Nano;
}

/** An entry that can be corrected. The ids and the model are those of a charge's call. */
export interface CorrectedEntry {
  readonly kind: "payment" | "charge";
  readonly requestId: string | null;
  readonly projectId: string | null;
  readonly keyId: string | null;
  readonly model: string | null;
}

/**
 * The entries of one batch and the amounts that they move between accounts, both written at its end. `balance` writes
 * the balance's own row. The last entry holds the batch's hash, chained to the hash of the batch before, which may be
 * another process's.
 */
export class BatchEntries {
  readonly #moves = new Map<Account, bigint>();
  readonly #statements;
  #entries: PendingEntry[] = [];

  constructor(
    sqlite: Database,
    private readonly balance: StoredBalance,
  ) {
    const names = [...CHAINED_COLUMNS, "trace", "balance_after", "hash"];
    this.#statements = {
      insert: sqlite.prepare<null, (ChainedValues[number] | Uint8Array)[]>(
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

  /** Call it before each batch: discards the remains of a rolled-back one. */
  clear(): void {
    this.#moves.clear();
    this.#entries = [];
  }

  /** A charge beyond the hold is an entry of its own, which the customer never pays. */
  charge(hold: HoldDraft, settlement: Settlement): void {
    const charge = describeCharge(hold, settlement);
    this.#move("balance", "charges", charge.amount);
    this.#add(charge, settlement.end.receiptDetails);
    const excess = settlement.charge - charge.amount;
    if (excess === 0n) return;
    this.#move("provider_variance", "charges", excess);
    this.#add(describeVariance(charge, settlement.varianceEntryId, excess));
  }

  payment({ id, amount, createdAtMs, reference, note = null }: Payment): void {
    this.#move("payments", "balance", amount);
    this.#add({ kind: "payment", id, amount, created_at_ms: createdAtMs, reference, note });
  }

  correction(
    { id, amount, createdAtMs, corrects, reason }: CorrectionPosting,
    corrected: CorrectedEntry,
  ): void {
    const [from, to] = corrected.kind === "payment" ? PAYMENT_BACK : CHARGE_BACK;
    this.#move(from, to, amount);
    this.#add({
      kind: "correction",
      id,
      amount,
      created_at_ms: createdAtMs,
      request_id: corrected.requestId,
      project_id: corrected.projectId,
      key_id: corrected.keyId,
      model: corrected.model,
      corrects,
      reason,
    });
  }

  /** Call it after its amount was moved. */
  #add(row: LedgerRow, trace: string | null = null): void {
    this.#entries.push({
      values: toChainedValues(row),
      trace,
      balanceAfter: this.balance.now.posted,
    });
  }

  write(): void {
    if (this.#entries.length === 0) return;
    const previous = this.#statements.lastHash.get()?.hash ?? FIRST_BATCH_HASH;
    const chained = this.#entries.map(({ values }) => values);
    const hash = hashBatch(previous, chained);
    const last = this.#entries.length - 1;
    for (const [index, { values, trace, balanceAfter }] of this.#entries.entries()) {
      this.#statements.insert.run(...values, trace, balanceAfter, index === last ? hash : null);
    }
    for (const [account, amount] of this.#moves) this.#statements.move.run(amount, account);
    this.clear();
  }

  /** Accounts are updated once per batch, at its end. */
  #move(from: Account, to: Account, amount: bigint): void {
    if (from === "balance") this.balance.post(-amount);
    else this.#moves.set(from, (this.#moves.get(from) ?? 0n) - amount);
    if (to === "balance") this.balance.post(amount);
    else this.#moves.set(to, (this.#moves.get(to) ?? 0n) + amount);
  }
}

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
