import type { Database } from "bun:sqlite";
import type { FormerOwners } from "../../balance/funds";
import type { Clock } from "../../effects";

/** How long a process keeps its holds without renewing its lease. */
export const LEASE_MS = 30_000;
export const RENEW_MS = 10_000;
/** The most that the clocks of two processes on one store may differ: a lease counts as over that much later for others. */
export const CLOCK_DRIFT_MS = 2_000;

/**
 * A process's right to hold money. In the store it is a row that the process renews, and that whoever takes over its holds deletes; in
 * the process it is over when it was not renewed for too long, so that one that was paused finds out before it holds more.
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

  /** Whether it is time to renew it. */
  get isDue(): boolean {
    return this.clock.monotonicMs() - this.#renewedAtMs >= RENEW_MS;
  }

  /** For use in the transaction that places holds. */
  isHeld(): boolean {
    const isOver = this.clock.monotonicMs() - this.#renewedAtMs >= LEASE_MS;
    return !isOver && this.#statements.find.get(this.owner) !== null;
  }

  /** Renews the lease, or takes a new one where it is over. */
  renew(): void {
    this.#askedAtMs = this.clock.monotonicMs();
    this.#statements.renew.run(this.owner, this.clock.nowMs() + LEASE_MS);
  }

  /** To be told how each transaction ended. What was renewed counts from the moment it was asked for. */
  transactionEnded({ isCommitted }: { isCommitted: boolean }): void {
    if (this.#askedAtMs !== null && isCommitted) this.#renewedAtMs = this.#askedAtMs;
    this.#askedAtMs = null;
  }

  /** The others whose holds may be taken over. */
  listFormer(owners: FormerOwners): string[] {
    const until = owners === "expired" ? this.clock.nowMs() - CLOCK_DRIFT_MS : Number.MAX_SAFE_INTEGER;
    return this.#statements.listOthers.all(this.owner, until).map(({ owner }) => owner);
  }

  /** Takes the lease from an owner none of whose holds is open any more. */
  end(owner: string): void {
    this.#statements.end.run(owner);
  }
}
