import { type Database, SQLiteError } from "bun:sqlite";
import { StoreLost } from "../../database/store-guard";
import type { StoredFunds } from "../funds";
import { BatchEntries } from "./batch-entries.sql";
import type { LedgerOperation, LedgerResult } from "./ledger-operation";
import { type LedgerStatements, prepareLedgerStatements } from "./ledger-statements.sql";
import type { OwnerLease } from "./owner-lease.sql";
import { StoredBalance } from "./stored-balance.sql";
import { type CallSeals, resolveOrphan, StoredCalls } from "./stored-calls";
import { StoredPayments } from "./stored-payments";

interface LedgerBatchOptions extends CallSeals {
  /** Throws if writing is no longer allowed; called in each batch's transaction. */
  guard?(): void;
  /** Called after each step, so that a slow writer can be told from one that has stopped. */
  noteProgress?(): void;
}

const NO_LEASE = { failed: "This process was silent for too long, and its holds may have been taken over" };

/**
 * Applies one process's operations to the ledger, one transaction per batch: all of it is on disk when `apply` returns.
 * If a batch violates a constraint, its operations are retried one by one, so that only the invalid one fails.
 */
export class LedgerBatch {
  readonly #statements: LedgerStatements;
  readonly #balance: StoredBalance;
  readonly #entries: BatchEntries;
  readonly #calls: StoredCalls;
  readonly #payments: StoredPayments;
  #mayHold = false;
  /** Set after a rollback: the cached state is read again before the next batch, which also detects a failing store. */
  #isStale = false;

  constructor(
    private readonly sqlite: Database,
    private readonly lease: OwnerLease,
    private readonly options: LedgerBatchOptions = {},
  ) {
    this.#statements = prepareLedgerStatements(sqlite);
    this.#balance = new StoredBalance(sqlite);
    this.#entries = new BatchEntries(sqlite, this.#balance);
    const books = { statements: this.#statements, balance: this.#balance, entries: this.#entries };
    this.#calls = new StoredCalls(sqlite, books, lease.owner, options);
    this.#payments = new StoredPayments(sqlite, books);
    this.#reload();
  }

  /** The store's figures after the last batch; null if it failed. */
  get stored(): StoredFunds | null {
    return this.#isStale ? null : this.#balance.now;
  }

  /**
   * Takes or renews the lease if that is due, as each batch does. @returns whether it was due. @throws any error of the
   * store.
   */
  keepLease(): boolean {
    const { isDue } = this.lease;
    if (isDue) this.#transact([]);
    return isDue;
  }

  apply(operations: readonly LedgerOperation[]): LedgerResult[] {
    try {
      return this.#transact(operations);
    } catch (error) {
      if (operations.length > 1 && isConstraintViolation(error))
        return operations.flatMap((operation) => this.apply([operation]));
      const failed = error instanceof StoreLost ? error.message : String(error);
      return operations.map(() => ({ failed }));
    }
  }

  #transact(operations: readonly LedgerOperation[]): LedgerResult[] {
    this.sqlite.run("BEGIN IMMEDIATE");
    try {
      const { noteProgress } = this.options;
      noteProgress?.();
      this.options.guard?.();
      if (this.#isStale) this.#reload();
      this.#balance.read();
      this.#entries.clear();
      this.#mayHold = this.lease.isHeld();
      if (this.lease.isDue) this.lease.renew();
      const results = operations.map((operation) => {
        const result = this.#apply(operation);
        noteProgress?.();
        return result;
      });
      this.#entries.write();
      this.#balance.write();
      this.#calls.writeRefusals();
      noteProgress?.();
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
    this.#calls.reload();
    this.#isStale = false;
  }

  #apply(operation: LedgerOperation): LedgerResult {
    switch (operation.kind) {
      case "hold":
        return this.#mayHold ? this.#calls.placeHold(operation.hold, operation.task) : NO_LEASE;
      case "settle":
        return this.#calls.settle(operation.settlement);
      case "release":
        return this.#calls.release(operation.release);
      case "checkpoint":
        this.#statements.checkpoint(operation.holdId, operation.checkpoint);
        return true;
      case "take over":
        return this.#takeOver(operation);
      case "probe":
        this.#statements.probe.run();
        return true;
      case "refusal":
        this.#calls.logRefusal(operation.refused);
        return true;
      case "payment":
        return this.#payments.record(operation);
      case "payments":
        return this.#payments.recordAll(operation);
      case "correction":
        return this.#payments.correct(operation);
      case "approve payment":
        return this.#payments.approve(operation.approval);
    }
  }

  /** Resolves the holds that others left open, and deletes their leases. @returns the number of holds. */
  #takeOver({ owners, nowMs }: Extract<LedgerOperation, { kind: "take over" }>): number {
    let takenCount = 0;
    for (const owner of this.lease.listFormer(owners)) {
      for (const row of this.#statements.openHolds.all(owner)) {
        this.#calls.keepHold(row);
        if (row.task_id === null) this.#apply(resolveOrphan(row, nowMs));
        else this.#statements.adoptHold.run(this.lease.owner, row.id);
        takenCount++;
      }
      this.lease.end(owner);
    }
    return takenCount;
  }
}

/** Returns true if the operation itself is invalid or violates a rule of the tables. False for faults of the store. */
export function isConstraintViolation(error: unknown): boolean {
  if (error instanceof StoreLost) return false;
  return !(error instanceof SQLiteError) || (error.code ?? "").startsWith("SQLITE_CONSTRAINT");
}
