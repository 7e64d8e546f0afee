import type { Database } from "bun:sqlite";
import { type Nano, toNano } from "@/lib/money/amount";
import { IDEMPOTENCY_MS, type Idempotency } from "../../idempotency/idempotency";
import type { CallCheckpoint, HoldDraft, Settlement, StoredFunds } from "../funds";
import {
  type CarriedRow,
  CHAINED_COLUMNS,
  type ChainedValues,
  carriedColumns,
  describeCharge,
  describeVariance,
  FIRST_BATCH_HASH,
  hashBatch,
  type LedgerRow,
  readAudioPrice,
  readCarried,
  readPriceClasses,
  toChainedValues,
  toPaymentRow,
  writeAudioPrice,
  writePriceClasses,
} from "../ledger-row";
import type { Correction, Payment } from "../payments/posting";

const holdColumns = `id, owner, request_id, amount, project_id, key_id, model, prompt_tokens, max_completion_tokens,
  input_per_1m, output_per_1m, rate, created_at_ms, deadline_at_ms, task_id, batch_id, units, unit, unit_price, audio,
  classes`;

/**
 * Open holds with the idempotency keys and carried media of their calls. A key has the time of its call, by which it is
 * found.
 */
const selectHolds = `SELECT holds.*, scope, key, body_hash, ${Object.values(carriedColumns).join(", ")} FROM holds
  LEFT JOIN idempotency_keys ON idempotency_keys.created_at_ms = holds.created_at_ms
    AND idempotency_keys.request_id = holds.request_id
  LEFT JOIN carried_media ON carried_media.request_id = holds.request_id`;

/** The ledger's prepared write statements. Parameters are positional, in the order of the columns. */
export function prepareLedgerStatements(sqlite: Database) {
  const checkpoint = sqlite.prepare<null, [number, number, string | null, string | null, string]>(
    "UPDATE holds SET checkpoint_completion_tokens = ?, stream = ?, provider = ?, trace = ? WHERE id = ?",
  );
  const placeHold = sqlite.prepare(
    `INSERT INTO holds (state, ${holdColumns}) VALUES ('dispatched'${", ?".repeat(21)})`,
  );
  const runsBatch = sqlite.prepare<{ id: string }, [string, string]>(
    "SELECT id FROM batches WHERE id = ? AND claimed_by = ? AND ended_at_ms IS NULL",
  );
  return {
    probe: sqlite.prepare<null, []>("UPDATE accounts SET balance = balance WHERE name = 'balance'"),
    placeHold(hold: HoldDraft, owner: string) {
      const { id, requestId, amount, projectId, keyId, model, promptTokens, maxCompletionTokens, price } =
        hold;
      const call = [id, owner, requestId, amount, projectId, keyId, model] as const;
      const prices = [price.inputPer1m, price.outputPer1m, price.rate] as const;
      const times = [hold.createdAtMs, hold.deadlineAtMs] as const;
      const originColumns = [hold.taskId ?? null, hold.batchId ?? null] as const;
      const mediaColumns = [
        ...originColumns,
        hold.units ?? null,
        price.perUnit?.unit ?? null,
        price.perUnit?.amount ?? null,
        writeAudioPrice(price),
        writePriceClasses(price),
      ] as const;
      placeHold.run(...call, promptTokens, maxCompletionTokens, ...prices, ...times, ...mediaColumns);
    },
    /** Whether the process still runs a batch: it has neither ended nor been claimed by another one. */
    runsBatch: (batchId: string, owner: string) => runsBatch.get(batchId, owner) !== null,
    endHold: sqlite.prepare<null, [string]>("DELETE FROM holds WHERE id = ?"),
    checkpoint: (holdId: string, { completionTokens, stream, provider, receiptDetails }: CallCheckpoint) =>
      checkpoint.run(completionTokens, Number(stream), provider, receiptDetails, holdId),
    findIdempotent: sqlite.prepare<
      { body_hash: string; reply: string | null },
      { scope: string; key: string; since: number }
    >(
      `SELECT body_hash, reply FROM idempotency_keys
       WHERE scope = $scope AND key = $key AND created_at_ms > $since`,
    ),
    keepIdempotent: sqlite.prepare(
      `INSERT OR REPLACE INTO idempotency_keys (scope, key, body_hash, reply, created_at_ms, request_id)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    takeKey: prepareTakeKey(sqlite),
    keepReply: sqlite.prepare<null, [string, string, string, string]>(
      "UPDATE idempotency_keys SET reply = ? WHERE scope = ? AND key = ? AND request_id = ?",
    ),
    forgetIdempotent: sqlite.prepare<null, [string, string, string]>(
      "DELETE FROM idempotency_keys WHERE scope = ? AND key = ? AND request_id = ?",
    ),
    openHolds: sqlite.prepare<HoldRow, [string]>(`${selectHolds} WHERE owner = ?`),
    taskHold: sqlite.prepare<HoldRow, [string]>(`${selectHolds} WHERE holds.id = ? AND task_id IS NOT NULL`),
    adoptHold: sqlite.prepare<null, [owner: string, id: string]>("UPDATE holds SET owner = ? WHERE id = ?"),
  };
}

/**
 * Stores the key of a hold, unless another call with it has an open hold, or was charged or made a task within a day.
 */
function prepareTakeKey(sqlite: Database) {
  const take = sqlite.prepare(
    `INSERT INTO idempotency_keys (scope, key, body_hash, reply, created_at_ms, request_id)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (scope, key) DO UPDATE SET body_hash = excluded.body_hash, reply = excluded.reply,
       created_at_ms = excluded.created_at_ms, request_id = excluded.request_id
     WHERE NOT EXISTS (SELECT 1 FROM holds WHERE id = 'hold_' || substr(idempotency_keys.request_id, 5))
       AND (idempotency_keys.created_at_ms <= ?
         OR NOT EXISTS (SELECT 1 FROM ledger_entries WHERE id = 'txn_' || substr(idempotency_keys.request_id, 5))
         AND NOT EXISTS (SELECT 1 FROM tasks WHERE request_id = idempotency_keys.request_id))`,
  );
  /** @returns whether the key is this hold's. */
  return (
    { createdAtMs, requestId }: HoldDraft,
    { scope, key, bodyHash }: Idempotency,
    reply: string | null,
  ): boolean => {
    const row = [scope, key, bodyHash, reply, createdAtMs, requestId] as const;
    return take.run(...row, createdAtMs - IDEMPOTENCY_MS).changes > 0;
  };
}

export type LedgerStatements = ReturnType<typeof prepareLedgerStatements>;

/** An open hold as it is stored; integers are bigint on the writer's connection. */
export interface HoldRow extends CarriedRow {
  /** Earlier versions stored a hold as `created` until its call was sent. */
  state: "created" | "dispatched";
  checkpoint_completion_tokens: bigint;
  /** These three are null before the first checkpoint. */
  stream: bigint | null;
  provider: string | null;
  trace: string | null;
  id: string;
  owner: string;
  request_id: string;
  amount: bigint;
  project_id: string;
  key_id: string;
  model: string;
  prompt_tokens: bigint;
  max_completion_tokens: bigint;
  input_per_1m: bigint;
  output_per_1m: bigint;
  rate: bigint;
  created_at_ms: bigint;
  deadline_at_ms: bigint;
  task_id: string | null;
  batch_id: string | null;
  units: bigint | null;
  unit: string | null;
  unit_price: bigint | null;
  audio: string | null;
  classes: string | null;
  /** These three are null for a call without an idempotency key. */
  scope: string | null;
  key: string | null;
  body_hash: string | null;
}

export function toHold(row: HoldRow): HoldDraft {
  const { scope, key, body_hash } = row;
  const carried = readCarried(row);
  return {
    id: row.id,
    requestId: row.request_id,
    amount: toNano(row.amount),
    projectId: row.project_id,
    keyId: row.key_id,
    model: row.model,
    promptTokens: Number(row.prompt_tokens),
    maxCompletionTokens: Number(row.max_completion_tokens),
    price: {
      inputPer1m: toNano(row.input_per_1m),
      outputPer1m: toNano(row.output_per_1m),
      rate: toNano(row.rate),
      ...(row.unit !== null && { perUnit: { unit: row.unit, amount: toNano(row.unit_price ?? 0n) } }),
      ...readAudioPrice(row.audio),
      ...readPriceClasses(row.classes),
    },
    createdAtMs: Number(row.created_at_ms),
    deadlineAtMs: Number(row.deadline_at_ms),
    ...(row.units !== null && { units: Number(row.units) }),
    ...(row.task_id !== null && { taskId: row.task_id }),
    ...(row.batch_id !== null && { batchId: row.batch_id }),
    ...(scope !== null && key !== null && { idempotency: { scope, key, bodyHash: body_hash ?? "" } }),
    ...(carried && { carried }),
  };
}

/** Another process than the hold's owner may end a task. */
export function findTaskHold(
  { taskHold }: Pick<LedgerStatements, "taskHold">,
  holdId: string,
): HoldDraft | null {
  const row = taskHold.get(holdId);
  return row && toHold(row);
}

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

  payment(payment: Payment): void {
    this.#move("payments", "balance", payment.amount);
    this.#add(toPaymentRow(payment));
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
