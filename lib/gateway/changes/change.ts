import { AsyncLocalStorage } from "node:async_hooks";
import { SPEND_ALERT_FIRED, SYSTEM_CHANGE } from "@/lib/contract/audit-events";
import type { AuditContext } from "../audit/audit-context";
import type { Clock } from "../effects";
import type { Feed } from "./feed";
import type { Transaction, Transactions } from "./transaction";
import type { Turn } from "./turn";

/** What changes are made with. */
export interface Changes {
  readonly turn: Turn;
  readonly transactions: Transactions;
  readonly feed: Pick<Feed, "catchUp">;
  readonly clock: Clock;
  readonly logFault: (where: string, error: unknown) => void;
}

export interface ChangeContext {
  readonly changes: Changes;
}

/** Who asks for a change, and of what. */
export interface ChangeRequest {
  /** What the audit log says of it. */
  readonly event: AuditContext;
  /** @throws Refusal where the caller may not make it on this object, or may no longer. */
  authorize(): void;
  /** @throws Refusal 412 where the object has changed since the caller read it. */
  refuseStale(): Promise<void>;
}

/** The body of a unit of work: it reads, judges and writes, and waits for nothing but the store. */
export type Work<Result> = (transaction: Transaction) => Promise<Result>;

/** Runs work as a unit of work: `change` or `systemChange`, with everything but the work given. */
export type Write = <Result>(work: Work<Result>) => Promise<Result>;

/**
 * Makes a change: judged by what is committed, written in one transaction together with its audit event, and seen by every
 * call of this process from the moment it resolves. There is no other way for a caller to write.
 * @throws Refusal; nothing is changed then.
 */
export async function change<Result>(
  { changes }: ChangeContext,
  { event, authorize, refuseStale }: ChangeRequest,
  work: Work<Result>,
): Promise<Result> {
  authorize();
  return inTurn(changes, event, work, async () => {
    await changes.feed.catchUp();
    // Rights are checked again: they may have been taken away while this change waited for its turn.
    authorize();
    await refuseStale();
  });
}

/** The fields of an audit event that the gateway makes by itself, without a request. */
export const BY_SYSTEM = { requestId: null, ip: null, actor: null };

/**
 * What the gateway writes by itself, with the event that the log has for it. The first start, its sign-in link and retention
 * write by themselves, too.
 */
const ownEvents = {
  "access refusals": SYSTEM_CHANGE,
  "expired sessions": SYSTEM_CHANGE,
  "idempotency keys": SYSTEM_CHANGE,
  "key uses": SYSTEM_CHANGE,
  "sign-in bookkeeping": SYSTEM_CHANGE,
  "spend alert firing": SPEND_ALERT_FIRED,
  "spend alert outbox": SYSTEM_CHANGE,
  task: SYSTEM_CHANGE,
} as const;

export type SystemReason = keyof typeof ownEvents;

/** Writes the gateway's own state, in a unit of work like any other. No administrator sets any of it. */
export async function systemChange<Result>(
  { changes }: ChangeContext,
  reason: SystemReason,
  work: Work<Result>,
): Promise<Result> {
  const event = { ...BY_SYSTEM, type: ownEvents[reason], atMs: changes.clock.nowMs() };
  return inTurn(changes, event, work, async () => {});
}

/** Set while `work` runs: a change inside it would wait for its own turn for ever. */
const working = new AsyncLocalStorage<true>();

/** @param judge throws where the change may not be made, by what is committed. */
function inTurn<Result>(
  { turn, transactions, feed, logFault }: Changes,
  event: AuditContext,
  work: Work<Result>,
  judge: () => Promise<void>,
): Promise<Result> {
  if (working.getStore()) {
    throw new Error("A change inside a change would wait for itself: write with the transaction under way");
  }
  return turn(async () => {
    // Before the store is locked: while it is, the ledger's writer waits, however far this process is behind.
    await feed.catchUp();
    const result = await transactions.run(event, async (transaction) => {
      await judge();
      return working.run(true, () => work(transaction));
    });
    // The change is committed even if it can't be read back now: the feed reads it the next time.
    await feed.catchUp().catch((error: unknown) => logFault("feed of changes", error));
    return result;
  });
}

/** The same request, for a part of it that gets its own audit event. */
export function requestAs(type: string, request: ChangeRequest): ChangeRequest {
  return { ...request, event: { ...request.event, type } };
}
