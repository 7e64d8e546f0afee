import { type Database, SQLiteError } from "bun:sqlite";
import type { HoldDraft, RefusedRequest, Release, Settlement, StoredFunds } from "../../balance/funds";
import type { Idempotency } from "../../balance/idempotency";
import { AuditTrail } from "../audit/audit-trail";
import { StoreLost } from "../store-guard";
import { EntryBook } from "./entry-book";
import type { LedgerOperation, LedgerResult } from "./ledger-operation";
import { type LedgerStatements, prepareLedgerStatements, toHold } from "./ledger-statements";
import { logRefused, logReleased } from "./log-uncharged";
import type { OwnerLease } from "./owner-lease";
import { RefusalCounter } from "./refusal-counter";
import { resolutionOf } from "./resolve-orphan";
import { StoredBalance } from "./stored-balance";
import { StoredPayments } from "./stored-payments";

type TakeOver = Extract<LedgerOperation, { kind: "take over" }>;

interface LedgerBatchOptions {
  /** Throws where nothing may be written; it is asked in each batch's transaction. */
  guard?(): void;
  /** Seals a reply that is kept for repeats. */
  seal?(reply: string, idempotency: Idempotency): string;
}

const USE_MS = 60_000;

const NO_LEASE = { failed: "This process was silent for too long, and its holds may have been taken over" };

/**
 * Applies one process's operations to the ledger, a batch in one transaction: all of it is on disk when `apply` returns. Where a batch
 * breaks a rule of the tables, its operations are tried one by one, so that the bad one fails alone.
 */
export class LedgerBatch {
  readonly #statements: LedgerStatements;
  readonly #payments: StoredPayments;
  readonly #refusals: RefusalCounter;
  readonly #balance: StoredBalance;
  readonly #entries: EntryBook;
  /** This process's holds, so that none is read again to be ended. Whether it is open, and the balance, the store says each time. */
  readonly #own = new Map<string, HoldDraft>();
  readonly #usedAtMs = new Map<string, number>();
  #mayHold = false;
  /** A transaction was undone: what stands here is read again before the next, in which a store that fails is found out. */
  #isStale = false;

  constructor(
    private readonly sqlite: Database,
    private readonly lease: OwnerLease,
    private readonly options: LedgerBatchOptions = {},
  ) {
    this.#statements = prepareLedgerStatements(sqlite);
    this.#balance = new StoredBalance(sqlite);
    this.#entries = new EntryBook(sqlite, this.#balance);
    this.#payments = new StoredPayments({
      statements: this.#statements,
      balance: this.#balance,
      entries: this.#entries,
      trail: new AuditTrail(sqlite),
    });
    this.#refusals = new RefusalCounter(sqlite);
    this.#reload();
  }

  /** What the store has since the last batch; null where that failed. */
  get stored(): StoredFunds | null {
    return this.#isStale ? null : this.#balance.now;
  }

  /** Takes the lease, or renews it where it is time to, as each batch does. @returns whether it was. @throws whatever the store says. */
  keepLease(): boolean {
    const { isDue } = this.lease;
    if (isDue) this.#transact([]);
    return isDue;
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
      this.#balance.read();
      this.#entries.clear();
      this.#mayHold = this.lease.isHeld();
      if (this.lease.isDue) this.lease.renew();
      const results = operations.map((operation) => this.#apply(operation));
      this.#entries.write();
      this.#balance.write();
      this.#refusals.write();
      this.sqlite.run("COMMIT");
      this.lease.transactionEnded({ isCommitted: true });
      return results;
    } catch (error) {
      this.#isStale = true;
      if (this.sqlite.inTransaction) this.sqlite.run("ROLLBACK");
      this.lease.transactionEnded({ isCommitted: false });
      throw error;
    }
  }

  #reload(): void {
    this.#usedAtMs.clear();
    this.#refusals.forget();
    this.#own.clear();
    for (const row of this.#statements.openHoldsOf.all(this.lease.owner)) this.#own.set(row.id, toHold(row));
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
      case "take over":
        return this.#takeOver(operation);
      case "probe":
        this.#statements.probe.run();
        return true;
      case "refusal":
        this.#logRefusal(operation.refused);
        return true;
      case "payment":
        return this.#payments.record(operation);
    }
  }

  #placeHold(hold: HoldDraft): LedgerResult {
    if (!this.#mayHold) return NO_LEASE;
    if (!this.#balance.hold(hold.amount)) return false;
    const { id, requestId, amount, projectId, keyId, model, promptTokens, maxCompletionTokens, price } = hold;
    const prices = [price.inputPer1m, price.outputPer1m, price.rate] as const;
    const call = [id, this.lease.owner, requestId, amount, projectId, keyId, model] as const;
    const tokens = [promptTokens, maxCompletionTokens] as const;
    this.#statements.placeHold.run(...call, ...tokens, ...prices, hold.createdAtMs, hold.deadlineAtMs);
    if (hold.idempotency) {
      const { scope, key, bodyHash } = hold.idempotency;
      this.#statements.keepIdempotent.run(scope, key, bodyHash, null, hold.createdAtMs, requestId);
    }
    this.#own.set(id, hold);
    return true;
  }

  #settle({ holdId, entryId, varianceEntryId, charge, usage, basis, end, reply }: Settlement): boolean {
    const hold = this.#endHold(holdId);
    if (!hold) return false;
    const { requestId, projectId, keyId, model, amount, price, createdAtMs } = hold;
    const { stream, outcome, status, estimatedTokens, firstByteMs, durationMs } = end;
    const { promptTokens, completionTokens } = usage;
    const known = [end.atMs, basis, promptTokens, completionTokens, requestId, projectId] as const;
    const snapshot = [keyId, model, price.inputPer1m, price.outputPer1m, price.rate] as const;
    const call = [amount, createdAtMs, Number(stream), outcome, status, estimatedTokens] as const;
    const posted = charge < amount ? charge : amount;
    this.#entries.charge(entryId, posted, [...known, ...snapshot, ...call, firstByteMs, durationMs], {
      provider: end.provider,
      cachedTokens: usage.cachedTokens ?? null,
      trace: end.trace,
    });
    if (charge > posted) this.#entries.variance(varianceEntryId, charge - posted, [...known, ...snapshot]);
    if (reply !== undefined && hold.idempotency) {
      const kept = this.options.seal?.(reply, hold.idempotency) ?? reply;
      this.#statements.keepReply.run(kept, hold.idempotency.scope, hold.idempotency.key, requestId);
    }
    this.#useKey(keyId, createdAtMs);
    return true;
  }

  #release({ holdId, end }: Release): boolean {
    const hold = this.#endHold(holdId);
    if (!hold) return false;
    const { requestId, createdAtMs, keyId } = hold;
    logReleased(this.#statements, hold, end);
    if (hold.idempotency) {
      this.#statements.forgetIdempotent.run(hold.idempotency.scope, hold.idempotency.key, requestId);
    }
    this.#useKey(keyId, createdAtMs);
    return true;
  }

  #logRefusal(refused: RefusedRequest): void {
    this.#useKey(refused.keyId, refused.atMs);
    if (this.#refusals.add(refused)) logRefused(this.#statements, refused);
  }

  /** The first end of a hold is the one that counts. @returns null where it is not open any more. */
  #endHold(holdId: string): HoldDraft | null {
    const hold = this.#own.get(holdId);
    if (!hold) return null;
    this.#own.delete(holdId);
    if (this.#statements.endHold.run(holdId).changes === 0) return null;
    this.#balance.endHold(hold.amount);
    return hold;
  }

  /** Resolves what others have left open, and takes their leases. @returns how many holds there were. */
  #takeOver({ owners, nowMs }: TakeOver): number {
    let taken = 0;
    for (const owner of this.lease.listFormer(owners)) {
      for (const row of this.#statements.openHoldsOf.all(owner)) {
        this.#own.set(row.id, toHold(row));
        this.#apply(resolutionOf(row, nowMs));
        taken++;
      }
      this.lease.end(owner);
    }
    return taken;
  }

  /** Written once a minute and key: more than that nobody asks to know. */
  #useKey(keyId: string, atMs: number): void {
    if (atMs - (this.#usedAtMs.get(keyId) ?? Number.NEGATIVE_INFINITY) < USE_MS) return;
    this.#statements.useKey.run(keyId, atMs);
    this.#usedAtMs.set(keyId, atMs);
  }
}

function breaksRule(error: unknown): boolean {
  if (error instanceof StoreLost) return false;
  return !(error instanceof SQLiteError) || (error.code ?? "").startsWith("SQLITE_CONSTRAINT");
}
