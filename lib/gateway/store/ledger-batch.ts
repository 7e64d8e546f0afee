import { type Database, SQLiteError } from "bun:sqlite";
import type {
  HoldDraft,
  Payment,
  PaymentOutcome,
  RefusedRequest,
  Release,
  Settlement,
} from "../balance/funds";
import { IDEMPOTENCY_MS, type Idempotency } from "../balance/idempotency";
import { AuditTrail, paymentChange } from "./audit-trail";
import { EntryBook } from "./entry-book";
import type { LedgerOperation, LedgerResult } from "./ledger-operation";
import { type LedgerStatements, prepareLedgerStatements, toHold } from "./ledger-statements";
import { RefusalCounter } from "./refusal-counter";
import { StoreLost } from "./store-guard";

type PaymentOperation = Extract<LedgerOperation, { kind: "payment" }>;

interface LedgerBatchOptions {
  /** Throws where nothing may be written; it is asked in each batch's transaction. */
  guard?(): void;
  /** Seals a reply that is kept for repeats. */
  seal?(reply: string, idempotency: Idempotency): string;
}

const USE_MS = 60_000;
const LARGEST_BALANCE = 9_000_000_000_000_000_000n;

/**
 * Applies operations to the ledger, a batch in one transaction: all of it is on disk when `apply` returns. Where a batch
 * breaks a rule of the tables, its operations are tried one by one, so that the bad one fails alone.
 */
export class LedgerBatch {
  readonly #statements: LedgerStatements;
  readonly #trail: AuditTrail;
  readonly #refusals: RefusalCounter;
  readonly #entries: EntryBook;
  /** Every open hold: this connection alone makes and resolves them. */
  readonly #open = new Map<string, HoldDraft>();
  readonly #usedAtMs = new Map<string, number>();
  #held = 0n;
  /** A transaction was undone: what stands here is read again before the next, in which a store that fails is found out. */
  #isStale = false;

  constructor(
    private readonly sqlite: Database,
    private readonly options: LedgerBatchOptions = {},
  ) {
    this.#statements = prepareLedgerStatements(sqlite);
    this.#entries = new EntryBook(sqlite);
    this.#trail = new AuditTrail(sqlite);
    this.#refusals = new RefusalCounter(sqlite);
    this.#reload();
  }

  get posted(): bigint {
    return this.#entries.posted;
  }

  apply(operations: readonly LedgerOperation[]): LedgerResult[] {
    try {
      return this.#transact(operations);
    } catch (error) {
      if (operations.length > 1 && breaksRule(error)) return operations.flatMap((one) => this.apply([one]));
      const failed = error instanceof StoreLost ? error.message : String(error);
      return operations.map(() => ({ failed }));
    }
  }

  #transact(operations: readonly LedgerOperation[]): LedgerResult[] {
    this.sqlite.run("BEGIN IMMEDIATE");
    try {
      this.options.guard?.();
      if (this.#isStale) this.#reload();
      const results = operations.map((operation) => this.#apply(operation));
      this.#entries.write();
      this.#refusals.write();
      this.sqlite.run("COMMIT");
      return results;
    } catch (error) {
      this.#isStale = true;
      if (this.sqlite.inTransaction) this.sqlite.run("ROLLBACK");
      throw error;
    }
  }

  #reload(): void {
    this.#entries.reload();
    this.#usedAtMs.clear();
    this.#refusals.forget();
    this.#open.clear();
    this.#held = 0n;
    for (const row of this.#statements.openHolds.all()) {
      this.#open.set(row.id, toHold(row));
      this.#held += row.amount;
    }
    this.#isStale = false;
  }

  #apply(operation: LedgerOperation): LedgerResult {
    switch (operation.kind) {
      case "hold":
        return this.#placeHold(operation.hold);
      case "settle":
        return this.#settle(operation.settlement);
      case "release":
        return this.#release(operation.release);
      case "checkpoint":
        this.#statements.checkpoint.run(operation.completionTokens, operation.holdId);
        return true;
      case "probe":
        this.#statements.probe.run();
        return true;
      case "refusal":
        this.#logRefusal(operation.refused);
        return true;
      case "payment":
        return this.#recordPayment(operation);
    }
  }

  #placeHold(hold: HoldDraft): boolean {
    if (this.#held + hold.amount > this.posted) return false;
    const { id, requestId, amount, projectId, keyId, model, promptTokens, maxCompletionTokens, price } = hold;
    const prices = [price.inputPer1m, price.outputPer1m, price.rate] as const;
    const call = [id, requestId, amount, projectId, keyId, model] as const;
    const tokens = [promptTokens, maxCompletionTokens] as const;
    this.#statements.placeHold.run(...call, ...tokens, ...prices, hold.createdAtMs, hold.deadlineAtMs);
    if (hold.idempotency) this.#keep(hold.idempotency, { requestId, reply: null, atMs: hold.createdAtMs });
    this.#open.set(id, hold);
    this.#held += amount;
    return true;
  }

  #settle({ holdId, entryId, varianceEntryId, charge, usage, basis, end, reply }: Settlement): boolean {
    const hold = this.#open.get(holdId);
    if (!hold) return true;
    this.#endHold(hold);
    const { requestId, projectId, keyId, model, amount, price, createdAtMs } = hold;
    const { stream, outcome, status, estimatedTokens, firstByteMs, durationMs } = end;
    const { promptTokens, completionTokens } = usage;
    const known = [end.atMs, basis, promptTokens, completionTokens, requestId, projectId] as const;
    const snapshot = [keyId, model, price.inputPer1m, price.outputPer1m, price.rate] as const;
    const call = [amount, createdAtMs, Number(stream), outcome, status, estimatedTokens] as const;
    const posted = charge < amount ? charge : amount;
    this.#entries.charge(entryId, posted, [...known, ...snapshot, ...call, firstByteMs, durationMs]);
    if (charge > posted) this.#entries.variance(varianceEntryId, charge - posted, [...known, ...snapshot]);
    if (reply !== undefined && hold.idempotency) {
      const kept = this.options.seal?.(reply, hold.idempotency) ?? reply;
      this.#statements.keepReply.run(kept, hold.idempotency.scope, hold.idempotency.key, requestId);
    }
    this.#useKey(keyId, createdAtMs);
    return true;
  }

  #release({ holdId, end }: Release): boolean {
    const hold = this.#open.get(holdId);
    if (!hold) return true;
    this.#endHold(hold);
    const { requestId, createdAtMs, projectId, keyId, model, amount } = hold;
    const { stream, outcome, status, estimatedTokens, firstByteMs, durationMs } = end;
    const call = [requestId, createdAtMs, projectId, keyId, model, Number(stream), outcome, status] as const;
    this.#statements.logUncharged.run(...call, null, amount, estimatedTokens, firstByteMs, durationMs, null);
    if (hold.idempotency) {
      this.#statements.forgetIdempotent.run(hold.idempotency.scope, hold.idempotency.key, requestId);
    }
    this.#useKey(keyId, createdAtMs);
    return true;
  }

  #logRefusal(refused: RefusedRequest): void {
    const { requestId, atMs, projectId, keyId, model, stream, status, refusedBy, estimatedTokens, facts } =
      refused;
    this.#useKey(keyId, atMs);
    if (!this.#refusals.add(refused)) return;
    const call = [requestId, atMs, projectId, keyId, model, Number(stream), "refused", status] as const;
    this.#statements.logUncharged.run(
      ...call,
      refusedBy,
      null,
      estimatedTokens,
      null,
      null,
      JSON.stringify(facts) ?? null,
    );
  }

  #endHold(hold: HoldDraft): void {
    const { changes } = this.#statements.endHold.run(hold.id);
    if (Number(changes) !== 1) throw new Error(`The hold ${hold.id} is not open in the store`);
    this.#open.delete(hold.id);
    this.#held -= hold.amount;
  }

  /** Written once a minute and key: more than that nobody asks to know. */
  #useKey(keyId: string, atMs: number): void {
    if (atMs - (this.#usedAtMs.get(keyId) ?? Number.NEGATIVE_INFINITY) < USE_MS) return;
    this.#statements.useKey.run(keyId, atMs);
    this.#usedAtMs.set(keyId, atMs);
  }

  #recordPayment({ payment, idempotency, audit }: PaymentOperation): PaymentOutcome {
    const { amount, createdAtMs } = payment;
    const first = idempotency && this.#findPayment(idempotency, createdAtMs);
    if (first) return first;
    if (this.posted + amount > LARGEST_BALANCE) return { kind: "too_large" };
    if (idempotency) {
      const reply = JSON.stringify({ ...payment, amount: String(amount) });
      this.#keep(idempotency, { requestId: null, reply, atMs: createdAtMs });
    }
    this.#entries.payment(payment);
    this.#trail.add(audit, paymentChange(payment));
    return { kind: "recorded", payment };
  }

  #keep(
    { scope, key, bodyHash }: Idempotency,
    { requestId, reply, atMs }: { requestId: string | null; reply: string | null; atMs: number },
  ): void {
    this.#statements.keepIdempotent.run(scope, key, bodyHash, reply, atMs, requestId);
  }

  #findPayment({ scope, key, bodyHash }: Idempotency, nowMs: number): PaymentOutcome | null {
    const first = this.#statements.findIdempotent.get({ scope, key, since: nowMs - IDEMPOTENCY_MS });
    if (!first?.reply) return null;
    return first.body_hash === bodyHash ? repeated(first.reply) : { kind: "conflict" };
  }
}

function breaksRule(error: unknown): boolean {
  if (error instanceof StoreLost) return false;
  return !(error instanceof SQLiteError) || (error.code ?? "").startsWith("SQLITE_CONSTRAINT");
}

function repeated(reply: string): PaymentOutcome {
  const payment = JSON.parse(reply) as Omit<Payment, "amount"> & { amount: string };
  return { kind: "repeated", payment: { ...payment, amount: BigInt(payment.amount) as Payment["amount"] } };
}
