import type { Database } from "bun:sqlite";
import type { Clock } from "../../clock";
import type { FormerOwners } from "../funds";

/** How long a process keeps its holds without renewing its lease. */
export const LEASE_MS = 30_000;
export const RENEW_MS = 10_000;
/**
 * The maximum difference between the clocks of two processes: other processes consider a lease expired only this much
 * later.
 */
export const CLOCK_DRIFT_MS = 2_000;

/**
 * A process's right to hold money. In the store it is a row that the process renews; another process that takes over
 * its holds deletes the row. In the process it expires if it was not renewed in time, so that a paused process notices
 * before it holds more.
 */
export class OwnerLease {
  readonly #statements;
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  #askedAtMs: number | null = null;

  constructor(
    sqlite: Database,
    readonly owner: string,
    private readonly clock: Clock,
  ) {
    this.#statements = {
      find: sqlite.prepare<{ owner: string }, [string]>("SELECT owner FROM leases WHERE owner = ?"),
      renew: sqlite.prepare<null, [string, number]>(
        `INSERT INTO leases (owner, ends_at_ms) VALUES (?, ?)
         ON CONFLICT (owner) DO UPDATE SET ends_at_ms = excluded.ends_at_ms`,
      ),
      listOthers: sqlite.prepare<{ owner: string }, [string, number]>(
        "SELECT owner FROM leases WHERE owner <> ? AND ends_at_ms < ?",
      ),
      end: sqlite.prepare<null, [string]>("DELETE FROM leases WHERE owner = ?"),
    };
  }

  /** Whether the lease should be renewed. */
  get isDue(): boolean {
    return this.clock.monotonicMs() - this.#renewedAtMs >= RENEW_MS;
  }

  /** Call it in the transaction that places holds. */
  isHeld(): boolean {
    const isOver = this.clock.monotonicMs() - this.#renewedAtMs >= LEASE_MS;
    return !isOver && this.#statements.find.get(this.owner) !== null;
  }

  /** Renews the lease, or takes a new one after it expired. */
  renew(): void {
    this.#askedAtMs = this.clock.monotonicMs();
    this.#statements.renew.run(this.owner, this.clock.nowMs() + LEASE_MS);
  }

  /** Call it when each transaction has ended. A renewal counts from the time it was requested. */
  transactionEnded({ isCommitted }: { isCommitted: boolean }): void {
    if (this.#askedAtMs !== null && isCommitted) this.#renewedAtMs = this.#askedAtMs;
    this.#askedAtMs = null;
  }

  /** The other owners whose holds may be taken over. */
  listFormer(owners: FormerOwners): string[] {
    const until = owners === "expired" ? this.clock.nowMs() - CLOCK_DRIFT_MS : Number.MAX_SAFE_INTEGER;
    return this.#statements.listOthers.all(this.owner, until).map(({ owner }) => owner);
  }

  /** Deletes the lease of an owner without open holds. */
  end(owner: string): void {
    this.#statements.end.run(owner);
  }
}
