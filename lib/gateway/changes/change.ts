import { OWN_CHANGE } from "@/lib/contract/audit-events";
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
  /** @throws Refusal 412 where the object is another than the caller has read. */
  refuseStale(): Promise<void>;
}

/** What stands in a unit of work: it reads, judges and writes, and waits for nothing but the store. */
export type Work<Result> = (transaction: Transaction) => Promise<Result>;

/** Runs work as a unit of work: `change` or `ownChange`, with everything but the work given. */
export type Write = <Result>(work: Work<Result>) => Promise<Result>;

/**
 * Makes a change: judged by what is committed, written in one transaction together with its audit event, and seen by every
 * call of this process from the moment it resolves. There is no other way for a caller to write.
 * @throws Refusal; nothing is changed then.
 */
export async function change<Result>(
  { changes: { turn, transactions, feed } }: ChangeContext,
  { event, authorize, refuseStale }: ChangeRequest,
  work: Work<Result>,
): Promise<Result> {
  authorize();
  return turn(async () => {
    const result = await transactions.run(event, async (transaction) => {
      await feed.catchUp();
      // Again, by what is true now: rights may have been taken while others had their turn.
      authorize();
      await refuseStale();
      return work(transaction);
    });
    await feed.catchUp();
    return result;
  });
}

/** Of an event that nobody has asked for. */
export const NOBODYS = { requestId: null, ip: null, actor: null };

/** All that the gateway writes by itself, besides the first start, its sign-in link and retention. */
export type OwnReason =
  | "expired sessions"
  | "idempotency keys"
  | "key uses"
  | "sign-in bookkeeping"
  | "spend alert outbox";

/** Writes what the gateway keeps by itself, in a unit of work like any other. Nothing of it is an administrator's to set. */
export async function ownChange<Result>(
  { changes: { turn, transactions, feed, clock } }: ChangeContext,
  _reason: OwnReason,
  work: Work<Result>,
): Promise<Result> {
  const event = { ...NOBODYS, type: OWN_CHANGE, atMs: clock.nowMs() };
  return turn(async () => {
    const result = await transactions.run(event, work);
    await feed.catchUp();
    return result;
  });
}

/** The same request, for a part of it that is an event of its own. */
export function requestAs(type: string, request: ChangeRequest): ChangeRequest {
  return { ...request, event: { ...request.event, type } };
}
