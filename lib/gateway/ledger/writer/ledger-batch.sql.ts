import { type Database, SQLiteError } from "bun:sqlite";
import type { Clock } from "../../clock";
import { StoreLost } from "../../database/store-guard";
import type { FormerOwners, StoredFunds } from "../funds";
import type { LedgerOperation, LedgerResult } from "./ledger-operation";
import {
  BatchEntries,
  type LedgerStatements,
  prepareLedgerStatements,
  StoredBalance,
} from "./ledger-statements.sql";
import { type CallSeals, resolveOrphan, StoredCalls } from "./stored-calls.sql";
import { StoredPayments } from "./stored-payments.sql";

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

/** How long a process keeps its holds without renewing its lease. */
export const LEASE_MS = 30_000;
export const RENEW_MS = 10_000;
/**
 * The maximum difference between the clocks of two processes: other processes consider a lease expired only this much
 * later.
 */
export const CLOCK_DRIFT_MS = 2_000;

/**
 * A process's right to hold money. In the store it is a row that the process renews; another process that takes over
 * its holds deletes the row. In the process it expires if it was not renewed in time, so that a paused process notices
 * before it holds more.
 */
export class OwnerLease {
  readonly #statements;
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  #askedAtMs: number | null = null;

  constructor(
    sqlite: Database,
    readonly owner: string,
    private readonly clock: Clock,
  ) {
    this.#statements = {
      find: sqlite.prepare<{ owner: string }, [string]>("SELECT owner FROM leases WHERE owner = ?"),
      renew: sqlite.prepare<null, [string, number]>(
        `INSERT INTO leases (owner, ends_at_ms) VALUES (?, ?)
         ON CONFLICT (owner) DO UPDATE SET ends_at_ms = excluded.ends_at_ms`,
      ),
      listOthers: sqlite.prepare<{ owner: string }, [string, number]>(
        "SELECT owner FROM leases WHERE owner <> ? AND ends_at_ms < ?",
      ),
      end: sqlite.prepare<null, [string]>("DELETE FROM leases WHERE owner = ?"),
    };
  }

  /** Whether the lease should be renewed. */
  get isDue(): boolean {
    return this.clock.monotonicMs() - this.#renewedAtMs >= RENEW_MS;
  }

  /** Call it in the transaction that places holds. */
  isHeld(): boolean {
    const isOver = this.clock.monotonicMs() - this.#renewedAtMs >= LEASE_MS;
    return !isOver && this.#statements.find.get(this.owner) !== null;
  }

  /** Renews the lease, or takes a new one after it expired. */
  renew(): void {
    this.#askedAtMs = this.clock.monotonicMs();
    this.#statements.renew.run(this.owner, this.clock.nowMs() + LEASE_MS);
  }

  /** Call it when each transaction has ended. A renewal counts from the time it was requested. */
  transactionEnded({ isCommitted }: { isCommitted: boolean }): void {
    if (this.#askedAtMs !== null && isCommitted) this.#renewedAtMs = this.#askedAtMs;
    this.#askedAtMs = null;
  }

  /** The other owners whose holds may be taken over. */
  listFormer(owners: FormerOwners): string[] {
    const until = owners === "expired" ? this.clock.nowMs() - CLOCK_DRIFT_MS : Number.MAX_SAFE_INTEGER;
    return this.#statements.listOthers.all(this.owner, until).map(({ owner }) => owner);
  }

  /** Deletes the lease of an owner without open holds. */
  end(owner: string): void {
    this.#statements.end.run(owner);
  }
}
