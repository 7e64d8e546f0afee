import type { Database } from "bun:sqlite";
import type { Nano } from "@/lib/money/amount";
import {
  CHAINED_COLUMNS,
  type ChainedValues,
  FIRST_BATCH_HASH,
  hashBatch,
} from "../../balance/ledger/ledger-chain";
import type { Correction, Payment } from "../../balance/payments/posting";
import type { StoredBalance } from "./stored-balance";

export type Account = "payments" | "balance" | "charges" | "provider_variance";
type Value = ChainedValues[number];

/** An entry: its chained values, its other values, and the balance after it. */
interface Entry {
  readonly values: ChainedValues;
  /** Deleted before the entry. */
  readonly trace: string | null;
  readonly balanceAfter: bigint;
}

/** The values from `basis` to `duration_ms`. */
const CALL_COLUMNS = CHAINED_COLUMNS.indexOf("reference") - CHAINED_COLUMNS.indexOf("basis");
const NO_CALL = Array.from({ length: CALL_COLUMNS }, () => null);
/** The values from `unit` to `unit_price` for a charge of tokens only. */
export const NOTHING_MADE = [null, null, null] as const;
/** The values from `provider` to `unit_price` for an entry without a provider. */
const NO_PROVIDER = [null, null, ...NOTHING_MADE] as const;

/** The values of `corrects` and `reason` for an entry that isn't a correction. */
const NO_CORRECTION = [null, null] as const;
/** The values from `note` to `reason` for an entry with neither a note nor a correction. */
const PLAIN = [null, ...NO_CORRECTION] as const;
/** The values of `batch_id` and `audio` for an entry that charges neither a line of a batch nor audio. */
const NO_DETAILS = [null, null] as const;
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

/** Details of a charged call that don't affect its amount; null if they are unknown. */
interface ChargedCall {
  readonly provider: string | null;
  readonly cachedTokens: number | null;
  readonly trace: string | null;
  /** The batch whose line the call is. */
  readonly batchId: string | null;
  /** The values from `unit` to `unit_price`. */
  readonly unitColumns: readonly Value[];
  readonly audio: string | null;
}

/**
 * The entries of one batch and the amounts that they move between accounts, both written at its end; `balance` writes
 * those of the balance. The last entry holds the batch's hash, which is chained to the previous batch's, whichever
 * process wrote that.
 */
export class BatchEntries {
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

  /** Call it before each batch: discards the remains of a rolled-back one. */
  clear(): void {
    this.#moves.clear();
    this.#entries = [];
  }

  /** `call` has the values from `created_at_ms` to `duration_ms`. */
  charge(
    id: string,
    amount: bigint,
    call: readonly Value[],
    { provider, cachedTokens, trace, batchId, unitColumns: made, audio }: ChargedCall,
  ): void {
    this.#move("balance", "charges", amount);
    this.#add(
      ["charge", id, amount, ...call, null, provider, cachedTokens, ...made, ...PLAIN, batchId, audio],
      trace,
    );
  }

  /** `call` has the values from `created_at_ms` to `rate`. */
  variance(id: string, amount: bigint, call: readonly Value[]): void {
    const emptyColumns = NO_CALL.slice(call.length - 1);
    this.#move("provider_variance", "charges", amount);
    this.#add([
      "provider_variance",
      id,
      amount,
      ...call,
      ...emptyColumns,
      null,
      ...NO_PROVIDER,
      ...PLAIN,
      ...NO_DETAILS,
    ]);
  }

  payment({ id, amount, createdAtMs, reference, note }: Payment): void {
    this.#move("payments", "balance", amount);
    const values = ["payment", id, amount, createdAtMs, ...NO_CALL, reference, ...NO_PROVIDER, note ?? null];
    this.#add([...values, ...NO_CORRECTION, ...NO_DETAILS]);
  }

  correction(
    { id, amount, createdAtMs, corrects, reason }: CorrectionPosting,
    corrected: CorrectedEntry,
  ): void {
    const [from, to] = corrected.kind === "payment" ? PAYMENT_BACK : CHARGE_BACK;
    this.#move(from, to, amount);
    const { requestId, projectId, keyId, model } = corrected;
    const call = [null, null, null, requestId, projectId, keyId, model];
    const emptyColumns = NO_CALL.slice(call.length);
    const values = [
      "correction",
      id,
      amount,
      createdAtMs,
      ...call,
      ...emptyColumns,
      null,
      ...NO_PROVIDER,
      null,
    ];
    this.#add([...values, corrects, reason, ...NO_DETAILS]);
  }

  /** Call it after its amount was moved. */
  #add(values: ChainedValues, trace: string | null = null): void {
    this.#entries.push({ values, trace, balanceAfter: this.balance.now.posted });
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
