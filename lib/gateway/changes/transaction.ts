import type { AuditContext } from "../audit/audit-context";

declare const unitOfWork: unique symbol;

/** A unit of work that is under way. Stores write with one alone, and only `change` and `systemChange` begin one. */
export interface Transaction {
  readonly [unitOfWork]: true;
}

/** Begins units of work on the store. */
export interface Transactions {
  /** Commits all that `work` writes together with its audit event, which is the last statement; or nothing. */
  run<Result>(event: AuditContext, work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
}
