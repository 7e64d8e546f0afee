import { AsyncLocalStorage } from "node:async_hooks";
import { otherEvents } from "@/lib/contract/access/audit-events";
import type { Clock } from "../clock";
import type { AuditChange, AuditContext } from "./audit/audit-event";
import type { Feed } from "./feed";
import type { Transaction, Transactions } from "./transactions.sql";

/** The collaborators that every change needs. */
export interface Changes {
  readonly lock: Lock;
  readonly transactions: Transactions;
  readonly feed: Pick<Feed, "catchUp">;
  readonly clock: Clock;
  readonly logFault: (where: string, error: unknown) => void;
}

export interface ChangeContext {
  readonly changes: Changes;
}

/** A requested change and its object. */
export interface ChangeRequest {
  /** The fields of its audit event. */
  readonly event: AuditContext;
  /** @throws Refusal if the caller may not or no longer make this change. */
  authorize(): void;
  /** @throws Refusal 412 if the object has changed since the caller read it. */
  refuseStale(): Promise<void>;
}

/** The body of a unit of work. It reads, validates and writes, and must await nothing but the store. */
export type Work<Result> = (transaction: Transaction) => Promise<Result>;

/** Runs work as a unit of work: `change` or `systemChange` with all other arguments bound. */
export type Write = <Result>(work: Work<Result>) => Promise<Result>;

/**
 * Makes a change. The change is judged by the committed state, written in one transaction with its audit event, and
 * visible to every call of this process once this resolves. Callers have no other way to write.
 * @throws Refusal; nothing is changed then.
 */
export async function change<Result>(
  { changes }: ChangeContext,
  { event, authorize, refuseStale }: ChangeRequest,
  work: Work<Result>,
): Promise<Result> {
  authorize();
  return runLocked(changes, event, work, async () => {
    await changes.feed.catchUp();
    // Permissions are checked again: they may have been revoked while this change waited for the lock.
    authorize();
    await refuseStale();
  });
}

/** The audit event's fields for a change that the gateway makes by itself, without a request. */
export const BY_SYSTEM = { requestId: null, ip: null, actor: null };

/**
 * The gateway's own writes, with the audit event of each. The first start and its sign-in link write their events
 * themselves; retention writes that of what it cuts off the log.
 */
const systemEvents = {
  "access given for a time": otherEvents.accessRequestEnded,
  "access refusals": otherEvents.systemChanged,
  batch: otherEvents.systemChanged,
  "background answer": otherEvents.systemChanged,
  "expired sessions": otherEvents.systemChanged,
  "failing canary": otherEvents.canaryEnded,
  file: otherEvents.systemChanged,
  "idempotency keys": otherEvents.systemChanged,
  "key uses": otherEvents.systemChanged,
  "limit proof": otherEvents.limitProofEnded,
  response: otherEvents.systemChanged,
  retention: otherEvents.systemChanged,
  "sign-in bookkeeping": otherEvents.systemChanged,
  "scheduled price": otherEvents.scheduledPriceApplied,
  "spend alert firing": otherEvents.spendAlertFired,
  "spend alert outbox": otherEvents.systemChanged,
  task: otherEvents.systemChanged,
  "unaccounted costs": otherEvents.systemChanged,
} as const;

type SystemReason = keyof typeof systemEvents;

/**
 * Writes what the gateway records by itself in a unit of work: without a request, or as part of a call, an upload or a
 * sign-in. What somebody asks to be changed is a `change`.
 */
export async function systemChange<Result>(
  { changes }: ChangeContext,
  reason: SystemReason,
  work: Work<Result>,
): Promise<Result> {
  const event = { ...BY_SYSTEM, type: systemEvents[reason], atMs: changes.clock.nowMs() };
  return runLocked(changes, event, work, async () => {});
}

/** The `Changes` whose `work` runs: a nested change with one of them would wait for its lock forever. */
const underWay = new AsyncLocalStorage<readonly Changes[]>();

/** @param recheck throws if the committed state doesn't allow the change. */
function runLocked<Result>(
  changes: Changes,
  event: AuditContext,
  work: Work<Result>,
  recheck: () => Promise<void>,
): Promise<Result> {
  const { lock, transactions, feed, logFault } = changes;
  const outer = underWay.getStore() ?? [];
  if (outer.includes(changes)) {
    throw new Error("A change inside a change would wait for itself: write with the transaction under way");
  }
  return lock(async () => {
    // Done before the store is locked, since the ledger's writer has to wait during the lock, however long catching up
    // takes.
    await feed.catchUp();
    const result = await transactions.run(event, async (transaction) => {
      await recheck();
      return underWay.run([...outer, changes], () => work(transaction));
    });
    // The change is committed even if reading it back fails. The feed reads it the next time.
    await feed.catchUp().catch((error: unknown) => logFault("feed of changes", error));
    return result;
  });
}

/**
 * Makes changes parts of a unit of work under way: each writes in it with an audit event of its own, and `follow`
 * brings the copies up to date that the next one is judged by. All of them are committed together, or none.
 */
export function partsOf(
  changes: Changes,
  transaction: Transaction,
  follow: (rows: readonly AuditChange[]) => Promise<void>,
): Changes {
  const { transactions } = changes;
  return {
    ...changes,
    lock: (work) => work(),
    feed: { catchUp: async () => {} },
    transactions: {
      ...transactions,
      async run(event, work) {
        const result = await work(transaction);
        await follow(await transactions.logPart(transaction, event));
        return result;
      },
    },
  };
}

/** Returns the same request for a part of it that has its own audit event. */
export function withEventType(type: string, request: ChangeRequest): ChangeRequest {
  return { ...request, event: { ...request.event, type } };
}

/** The same request, where each changed row of a table has its own event, and the change one more. */
export function withEventOfEach(
  eachOf: NonNullable<AuditContext["eachOf"]>,
  request: ChangeRequest,
): ChangeRequest {
  return { ...request, event: { ...request.event, eachOf } };
}

/** Runs changes one after another, so that nobody writes between a check and the write that relies on it. */
export type Lock = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A lock for the changes of one process. They don't nest: a change inside a change would wait for itself forever. */
export function createLock(): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
