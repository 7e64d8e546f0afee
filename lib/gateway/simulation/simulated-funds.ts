import type { Nano } from "@/lib/money/amount";
import type { AuditContext } from "../changes/audit/audit-event";
import type { Idempotency } from "../idempotency/idempotency";
import {
  type CallCheckpoint,
  type FormerOwners,
  type Funds,
  type HoldDraft,
  type HoldOutcome,
  type RefusedRequest,
  type Release,
  releaseRefused,
  type Settlement,
  type StoredFunds,
  type TaskDraft,
} from "../ledger/funds";
import { BalanceCache } from "../ledger/funds.sql";
import type {
  ApprovalOutcome,
  Correction,
  CorrectionOutcome,
  ImportedPayment,
  ImportOutcome,
  Payment,
  PaymentApproval,
  PaymentMaker,
  PaymentOutcome,
} from "../ledger/payments/posting";
import type { LedgerBatch } from "../ledger/writer/ledger-batch.sql";
import {
  type HoldResult,
  type LedgerOperation,
  type LedgerResult,
  STALLED_MS,
  toHoldOutcome,
} from "../ledger/writer/ledger-operation";
import { decodeOperations, encodeOperations } from "../ledger/writer/ledger-wire";
import { storeUnavailable } from "../refusal";

interface WaitingOperation {
  readonly operation: LedgerOperation;
  resolve(result: LedgerResult): void;
  reject(reason: unknown): void;
}

interface WrittenBatch {
  readonly waiting: readonly WaitingOperation[];
  readonly results: readonly LedgerResult[];
  readonly stored: StoredFunds | null;
  readonly atMs: number;
}

/** A batch with the store's results. */
export interface Committed {
  readonly operations: readonly LedgerOperation[];
  readonly results: readonly LedgerResult[];
}

/**
 * The funds without their thread: the simulation decides when the queue is committed, and when the commit is answered.
 * The process may die in between.
 */
export class SimulatedFunds implements Funds {
  #queue: WaitingOperation[] = [];
  #written: WrittenBatch | null = null;
  #lastEnd: LedgerOperation | null = null;
  readonly #balance = new BalanceCache({ posted: 0n, held: 0n });

  constructor(
    private readonly batch: LedgerBatch,
    private readonly nowMs: () => number,
  ) {
    this.refresh();
  }

  get available(): Nano {
    return this.#balance.available;
  }

  get hasQueue(): boolean {
    return this.#queue.length > 0 && this.#written === null;
  }

  get hasAnswer(): boolean {
    return this.#written !== null;
  }

  /** Writes the queue as the writer thread does, with the same encoding. */
  commit(): Committed {
    const queue = this.#queue;
    this.#queue = [];
    const operations = decodeOperations(encodeOperations(queue.map(({ operation }) => operation)));
    const results = this.batch.apply(operations);
    this.#written = { waiting: queue, results, stored: this.batch.stored, atMs: this.nowMs() };
    return { operations, results };
  }

  /** Renews the lease as the thread does while idle. @returns whether the store accepted it. */
  keepLease(): boolean {
    try {
      if (this.batch.keepLease()) this.refresh();
      return true;
    } catch {
      return false;
    }
  }

  /** Delivers the store's answers. */
  refresh(): void {
    this.batch.apply([]);
    if (this.batch.stored) this.#balance.update(this.batch.stored);
  }

  /** Ends a call a second time. */
  endAgain(): void {
    if (this.#lastEnd) this.#send(this.#lastEnd).catch(() => {});
  }

  answer(): void {
    const { waiting = [], results = [], stored = null, atMs = 0 } = this.#written ?? {};
    this.#written = null;
    if (stored) this.#balance.update(stored);
    const isLate = this.nowMs() - atMs > STALLED_MS;
    for (const [index, { operation, resolve, reject }] of waiting.entries()) {
      const result = results[index] ?? { failed: "no answer" };
      const isRefused = isFailure(result) || (isLate && operation.kind === "hold");
      if (isRefused) reject(storeUnavailable());
      else resolve(result);
      if (isRefused && operation.kind === "hold" && result === true) this.#undo(operation.hold);
    }
  }

  placeHold(hold: HoldDraft, task?: TaskDraft): Promise<HoldOutcome> {
    this.#balance.reserve(hold.amount);
    const recordAnswer = () => this.#balance.unreserve(hold.amount);
    return new Promise((resolve, reject) => {
      this.#queue.push({
        operation: { kind: "hold", hold, ...(task && { task }) },
        resolve: (result) => (recordAnswer(), resolve(toHoldOutcome(result as HoldResult))),
        reject: (reason) => (recordAnswer(), reject(reason)),
      });
    });
  }

  settle(settlement: Settlement): Promise<boolean> {
    return this.#send((this.#lastEnd = { kind: "settle", settlement })) as Promise<boolean>;
  }

  release(release: Release): Promise<boolean> {
    return this.#send((this.#lastEnd = { kind: "release", release })) as Promise<boolean>;
  }

  takeOver(owners: FormerOwners, nowMs: number): Promise<number> {
    return this.#send({ kind: "take over", owners, nowMs }) as Promise<number>;
  }

  recordPayment(payment: Payment, idempotency: Idempotency | null): Promise<PaymentOutcome> {
    const operation = { kind: "payment", payment, idempotency, audit: null } as const;
    return this.#send(operation) as Promise<PaymentOutcome>;
  }

  importPayments(
    payments: readonly ImportedPayment[],
    idempotency: Idempotency | null,
    _event: AuditContext,
    maker: PaymentMaker,
  ): Promise<ImportOutcome> {
    const operation = { kind: "payments", payments, idempotency, audit: null, maker } as const;
    return this.#send(operation) as Promise<ImportOutcome>;
  }

  recordCorrection(correction: Correction, idempotency: Idempotency | null): Promise<CorrectionOutcome> {
    const operation = { kind: "correction", correction, idempotency, audit: null } as const;
    return this.#send(operation) as Promise<CorrectionOutcome>;
  }

  approvePayment(approval: PaymentApproval): Promise<ApprovalOutcome> {
    return this.#send({ kind: "approve payment", approval }) as Promise<ApprovalOutcome>;
  }

  checkpoint(holdId: string, checkpoint: CallCheckpoint): void {
    this.#send({ kind: "checkpoint", holdId, checkpoint }).catch(() => {});
  }

  logRefusal(request: RefusedRequest): void {
    this.#send({ kind: "refusal", refused: request }).catch(() => {});
  }

  isHealthy(): boolean {
    return true;
  }

  async close(): Promise<void> {}

  #undo(hold: HoldDraft): void {
    const release = releaseRefused(hold, STALLED_MS);
    this.#send({ kind: "release", release }).catch(() => this.#undo(hold));
  }

  #send(operation: LedgerOperation): Promise<LedgerResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ operation, resolve, reject });
    });
  }
}

export function isFailure(result: LedgerResult): boolean {
  return typeof result === "object" && "failed" in result;
}
