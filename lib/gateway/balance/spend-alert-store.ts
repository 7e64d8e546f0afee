import type { Nano } from "@/lib/money/amount";
import type { Transaction } from "../changes/transaction";
import type { SpendScope } from "./spend-book";

export interface SpendAlertRecord {
  readonly id: string;
  readonly scope: SpendScope;
  readonly thresholdCents: number;
  readonly recipients: readonly string[];
  readonly subjectPrefix: string | null;
  readonly createdAtMs: number;
}

/** That an alert's threshold was reached in a month. */
export interface SpendAlertFiring {
  readonly alertId: string;
  readonly thresholdCents: number;
  readonly monthStartMs: number;
  readonly firedAtMs: number;
}

/** A firing as it is kept and told. */
export interface SpendAlertFiringRecord extends SpendAlertFiring {
  readonly id: string;
  readonly scope: SpendScope;
  /** What the month had cost. */
  readonly spent: Nano;
}

export interface SpendAlertStore {
  /** Oldest first. */
  list(): Promise<SpendAlertRecord[]>;
  /** Null where there is none. */
  find(id: string): Promise<SpendAlertRecord | null>;
  /** Its last firing at the threshold it has now. */
  lastFiring(alert: SpendAlertRecord): Promise<SpendAlertFiring | null>;
  /** Stores an alert, or puts it in the place of the one with its id. */
  save(transaction: Transaction, alert: SpendAlertRecord): Promise<void>;
  delete(transaction: Transaction, id: string): Promise<void>;
  /** Keeps a firing, and with it the message (JSON) that tells it, or null; a threshold fires once a month, so a repeat changes nothing. */
  insertFiring(
    transaction: Transaction,
    firing: SpendAlertFiringRecord,
    message: string | null,
  ): Promise<void>;
  /** Has a firing's message sent from then on as if it never had been. */
  saveMessage(transaction: Transaction, firingId: string, message: string, dueAtMs: number): Promise<void>;
}
