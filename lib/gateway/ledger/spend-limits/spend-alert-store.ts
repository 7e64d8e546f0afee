import type { Nano } from "@/lib/money/amount";
import type { Transaction } from "../../changes/transaction";
import type { Scope } from "../../scope";

export interface SpendAlertRecord {
  readonly id: string;
  readonly scope: Scope;
  readonly thresholdCents: number;
  readonly recipients: readonly string[];
  readonly subjectPrefix: string | null;
  readonly createdAtMs: number;
}

/** One event of a month's cost reaching an alert's threshold. */
export interface SpendAlertFiring {
  readonly alertId: string;
  readonly thresholdCents: number;
  readonly monthStartMs: number;
  readonly firedAtMs: number;
}

/** A stored firing. */
export interface SpendAlertFiringRecord extends SpendAlertFiring {
  readonly id: string;
  readonly scope: Scope;
  /** The cost of the month at that time. */
  readonly spent: Nano;
}

export interface SpendAlertStore {
  /** Oldest first. */
  list(): Promise<SpendAlertRecord[]>;
  /** Null if there is none. */
  find(id: string): Promise<SpendAlertRecord | null>;
  /** The last firing of an alert at its present threshold. */
  lastFiring(alert: SpendAlertRecord): Promise<SpendAlertFiring | null>;
  /** Inserts an alert, or replaces the one with its id. */
  save(transaction: Transaction, alert: SpendAlertRecord): Promise<void>;
  delete(transaction: Transaction, id: string): Promise<void>;
  /**
   * Stores a firing and the body (JSON) of its callback, if there is one. A threshold fires once a month, so a repeat
   * changes nothing.
   */
  insertFiring(
    transaction: Transaction,
    firing: SpendAlertFiringRecord,
    message: string | null,
  ): Promise<void>;
  /** Queues a firing's callback as if it were new. */
  saveMessage(transaction: Transaction, firingId: string, message: string, dueAtMs: number): Promise<void>;
}
