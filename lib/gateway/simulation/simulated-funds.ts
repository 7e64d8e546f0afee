import type {
  Funds,
  HoldDraft,
  Payment,
  PaymentOutcome,
  RefusedRequest,
  Release,
  Settlement,
} from "../balance/funds";
import type { Idempotency } from "../balance/idempotency";
import { storeUnavailable } from "../ports/refusal";
import type { LedgerBatch } from "../store/ledger-batch";
import type { LedgerOperation, LedgerResult } from "../store/ledger-operation";
import { decodeOperations, encodeOperations } from "../store/ledger-wire";

interface Waiting {
  readonly operation: LedgerOperation;
  resolve(result: LedgerResult): void;
  reject(reason: unknown): void;
}

/** What of a batch the store took. */
export interface Committed {
  readonly operations: readonly LedgerOperation[];
  readonly results: readonly LedgerResult[];
}

/**
 * The funds without their thread: the simulation says when the queue is committed, and when the commit is answered.
 * Between the two the process may die.
 */
export class SimulatedFunds implements Funds {
  #queue: Waiting[] = [];
  #written: { readonly waiting: readonly Waiting[]; readonly results: readonly LedgerResult[] } | null = null;

  #lastEnd: LedgerOperation | null = null;

  constructor(private readonly batch: LedgerBatch) {}

  get hasQueue(): boolean {
    return this.#queue.length > 0 && this.#written === null;
  }

  get hasAnswer(): boolean {
    return this.#written !== null;
  }

  /** Writes all that is queued, as the thread does, across the same wire. */
  commit(): Committed {
    const waiting = this.#queue;
    this.#queue = [];
    const operations = decodeOperations(encodeOperations(waiting.map(({ operation }) => operation)));
    const results = this.batch.apply(operations);
    this.#written = { waiting, results };
    return { operations, results };
  }

  /** Asks once more for what has ended a call already. */
  endAgain(): void {
    if (this.#lastEnd) this.#send(this.#lastEnd).catch(() => {});
  }

  answer(): void {
    const { waiting = [], results = [] } = this.#written ?? {};
    this.#written = null;
    for (const [index, { resolve, reject }] of waiting.entries()) {
      const result = results[index] ?? { failed: "no answer" };
      if (isFailure(result)) reject(storeUnavailable());
      else resolve(result);
    }
  }

  placeHold(hold: HoldDraft): Promise<boolean> {
    return this.#send({ kind: "hold", hold }) as Promise<boolean>;
  }

  settle(settlement: Settlement): Promise<unknown> {
    return this.#send((this.#lastEnd = { kind: "settle", settlement }));
  }

  release(release: Release): Promise<unknown> {
    return this.#send((this.#lastEnd = { kind: "release", release }));
  }

  recordPayment(payment: Payment, idempotency: Idempotency | null): Promise<PaymentOutcome> {
    return this.#send({ kind: "payment", payment, idempotency, audit: null }) as Promise<PaymentOutcome>;
  }

  checkpoint(holdId: string, completionTokens: number): void {
    this.#send({ kind: "checkpoint", holdId, completionTokens }).catch(() => {});
  }

  logRefusal(refused: RefusedRequest): void {
    this.#send({ kind: "refusal", refused }).catch(() => {});
  }

  isHealthy(): boolean {
    return true;
  }

  async close(): Promise<void> {}

  #send(operation: LedgerOperation): Promise<LedgerResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ operation, resolve, reject });
    });
  }
}

export function isFailure(result: LedgerResult): boolean {
  return typeof result === "object" && "failed" in result;
}
