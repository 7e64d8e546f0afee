import type { Database } from "bun:sqlite";
import type { HoldDraft, RefusedRequest, Release, Settlement, StoredFunds } from "../../balance/funds";
import type { TaskDraft } from "../../balance/held-task";
import type { Idempotency } from "../../balance/idempotency";
import { StoreLost } from "../store-guard";
import { type SealTask, StoredTasks } from "../tasks/stored-tasks";
import { BatchEntries } from "./batch-entries";
import { isConstraintViolation } from "./is-constraint-violation";
import type { LedgerOperation, LedgerResult } from "./ledger-operation";
import {
  findTaskHold,
  type LedgerStatements,
  prepareLedgerStatements,
  toEntryDetails,
  toHold,
} from "./ledger-statements";
import type { OwnerLease } from "./owner-lease";
import { RecentMediaUsage } from "./recent-media-usage";
import { RefusalCounter } from "./refusal-counter";
import { resolveOrphan } from "./resolve-orphan";
import { StoredBalance } from "./stored-balance";
import { StoredKeyUses } from "./stored-key-uses";
import { StoredPayments } from "./stored-payments";
import { UnchargedCalls } from "./uncharged-calls";

interface LedgerBatchOptions {
  /** Throws if writing is no longer allowed; called in each batch's transaction. */
  guard?(): void;
  /** Seals a reply that is stored for repeats. */
  seal?(reply: string, idempotency: Idempotency): string;
  /** Seals a task's input. */
  readonly sealTask?: SealTask;
}

const NO_LEASE = { failed: "This process was silent for too long, and its holds may have been taken over" };

/**
 * Applies one process's operations to the ledger, one transaction per batch: all of it is on disk when `apply` returns.
 * If a batch violates a constraint, its operations are retried one by one, so that only the invalid one fails.
 */
export class LedgerBatch {
  readonly #statements: LedgerStatements;
  readonly #payments: StoredPayments;
  readonly #refusals: RefusalCounter;
  readonly #uncharged: UnchargedCalls;
  readonly #balance: StoredBalance;
  readonly #entries: BatchEntries;
  readonly #tasks: StoredTasks;
  readonly #carried: RecentMediaUsage;
  /** This process's holds, so that ending one needs no read of them. The store says whether one is still open. */
  readonly #own = new Map<string, HoldDraft>();
  readonly #keyUses: StoredKeyUses;
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
    this.#payments = new StoredPayments(sqlite, books);
    this.#refusals = new RefusalCounter(sqlite);
    this.#uncharged = new UnchargedCalls(sqlite);
    this.#keyUses = new StoredKeyUses(sqlite);
    this.#tasks = new StoredTasks(sqlite, options.sealTask);
    this.#carried = new RecentMediaUsage(sqlite);
    this.#reload();
  }

  /** The store's figures after the last batch; null if it failed. */
  get stored(): StoredFunds | null {
    return this.#isStale ? null : this.#balance.now;
  }

  /** Takes or renews the lease if that is due, as each batch does. @returns whether it was due. @throws any error of the store. */
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
    this.#keyUses.forget();
    this.#refusals.forget();
    this.#own.clear();
    for (const row of this.#statements.openHolds.all(this.lease.owner)) this.#own.set(row.id, toHold(row));
    this.#isStale = false;
  }

  #apply(operation: LedgerOperation): LedgerResult {
    switch (operation.kind) {
      case "hold":
        return this.#placeHold(operation.hold, operation.task);
      case "settle":
        return this.#settle(operation.settlement);
      case "release":
        return this.#release(operation.release);
      case "checkpoint":
        this.#statements.checkpoint(operation.holdId, operation.checkpoint);
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
      case "payments":
        return this.#payments.recordAll(operation);
      case "correction":
        return this.#payments.correct(operation);
      case "approve payment":
        return this.#payments.approve(operation.approval);
    }
  }

  #placeHold(hold: HoldDraft, task?: TaskDraft): LedgerResult {
    if (!this.#mayHold) return NO_LEASE;
    // A paused process may have asked for this before another one took the batch over, and ended it.
    if (hold.batchId && !this.#statements.runsBatch(hold.batchId, this.lease.owner)) return "taken over";
    if (!this.#balance.hold(hold.amount)) return false;
    const { idempotency } = hold;
    const reply = idempotency && task ? this.#seal(task.reply, idempotency) : null;
    if (idempotency && !this.#statements.takeKey(hold, idempotency, reply)) {
      this.#balance.endHold(hold.amount);
      return "repeated";
    }
    this.#statements.placeHold(hold, this.lease.owner);
    this.#carried.note(hold);
    if (task) this.#tasks.insert(hold, task);
    this.#own.set(hold.id, hold);
    return true;
  }

  #settle(settlement: Settlement): boolean {
    const { holdId, entryId, varianceEntryId, charge, usage, basis, end, reply } = settlement;
    const hold = this.#endHold(holdId);
    if (!hold) return false;
    const { requestId, projectId, keyId, model, amount, price, createdAtMs } = hold;
    const { stream, outcome, status, estimatedTokens, firstByteMs, durationMs } = end;
    const { promptTokens, completionTokens } = usage;
    const columns = [end.atMs, basis, promptTokens, completionTokens, requestId, projectId] as const;
    const snapshot = [keyId, model, price.inputPer1m, price.outputPer1m, price.rate] as const;
    const call = [amount, createdAtMs, Number(stream), outcome, status, estimatedTokens] as const;
    const posted = charge < amount ? charge : amount;
    this.#entries.charge(entryId, posted, [...columns, ...snapshot, ...call, firstByteMs, durationMs], {
      provider: end.provider,
      trace: end.trace,
      ...toEntryDetails(hold, usage),
    });
    if (charge > posted) this.#entries.variance(varianceEntryId, charge - posted, [...columns, ...snapshot]);
    if (reply !== undefined && hold.idempotency) {
      const sealedReply = this.#seal(reply, hold.idempotency);
      this.#statements.keepReply.run(sealedReply, hold.idempotency.scope, hold.idempotency.key, requestId);
    }
    if (hold.taskId) this.#tasks.end(hold.taskId, end.atMs, settlement.task);
    this.#keyUses.note(keyId, createdAtMs);
    return true;
  }

  #release({ holdId, end, task }: Release): boolean {
    const hold = this.#endHold(holdId);
    if (!hold) return false;
    this.#uncharged.released(hold, end);
    if (end.outcome === "unsent") this.#carried.forget(hold);
    if (hold.taskId) this.#tasks.end(hold.taskId, end.atMs, task);
    else if (hold.idempotency) {
      this.#statements.forgetIdempotent.run(hold.idempotency.scope, hold.idempotency.key, hold.requestId);
    }
    this.#keyUses.note(hold.keyId, hold.createdAtMs);
    return true;
  }

  #logRefusal(request: RefusedRequest): void {
    this.#keyUses.note(request.keyId, request.atMs);
    if (this.#refusals.add(request)) this.#uncharged.countRefusal(request);
  }

  /** Only the first end of a hold counts. @returns null if it is no longer open. */
  #endHold(holdId: string): HoldDraft | null {
    const hold = this.#own.get(holdId) ?? findTaskHold(this.#statements, holdId);
    if (!hold) return null;
    this.#own.delete(holdId);
    if (this.#statements.endHold.run(holdId).changes === 0) return null;
    this.#balance.endHold(hold.amount);
    return hold;
  }

  #seal(reply: string, idempotency: Idempotency): string {
    return this.options.seal?.(reply, idempotency) ?? reply;
  }

  /** Resolves the holds that others left open, and deletes their leases. @returns the number of holds. */
  #takeOver({ owners, nowMs }: Extract<LedgerOperation, { kind: "take over" }>): number {
    let takenCount = 0;
    for (const owner of this.lease.listFormer(owners)) {
      for (const row of this.#statements.openHolds.all(owner)) {
        this.#own.set(row.id, toHold(row));
        if (row.task_id === null) this.#apply(resolveOrphan(row, nowMs));
        else this.#statements.adoptHold.run(this.lease.owner, row.id);
        takenCount++;
      }
      this.lease.end(owner);
    }
    return takenCount;
  }
}
