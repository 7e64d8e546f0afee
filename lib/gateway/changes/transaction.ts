import type { AuditChange, AuditContext } from "./audit/audit-event";

declare const unitOfWork: unique symbol;

/** A unit of work in progress. Stores write only with one of these, and only `change` and `systemChange` begin one. */
export interface Transaction {
  readonly [unitOfWork]: true;
}

/** Begins units of work on the store. */
export interface Transactions {
  /** Commits everything that `work` writes, together with the audit event as the last statement; or nothing. */
  run<Result>(event: AuditContext, work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Writes what the unit of work has changed so far as an event of its own. @returns its rows. */
  logPart(transaction: Transaction, event: AuditContext): Promise<readonly AuditChange[]>;
}
