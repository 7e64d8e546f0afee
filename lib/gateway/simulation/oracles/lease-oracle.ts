import type { Statement } from "bun:sqlite";
import { ensure } from "../broken-invariant";
import type { SimulatedStore } from "../simulated-store";

/** A process's own clock, while it runs. */
type ProcessClock = () => number;

/** Reads leases and hold owners after each commit, and checks the promises of leases. */
export class LeaseOracle {
  /** The clocks of running processes, by owner name. */
  readonly living = new Map<string, ProcessClock>();
  #ends = new Map<string, number>();
  #owners = new Map<string, string>();
  readonly #statements: Record<"leases" | "holds", Statement<unknown, []>>;

  constructor({ sqlite }: SimulatedStore) {
    this.#statements = {
      leases: sqlite.prepare("SELECT owner, ends_at_ms FROM leases"),
      holds: sqlite.prepare("SELECT request_id, owner FROM holds"),
    };
  }

  /** Whether a process may hold money, by its own clock and the store's state before its commit. */
  isLeased(owner: string): boolean {
    const nowMs = this.living.get(owner)?.() ?? Number.POSITIVE_INFINITY;
    return (this.#ends.get(owner) ?? 0) > nowMs;
  }

  /** Called after a commit of the process `by`. @returns the requests whose holds it has taken over. */
  read(by: string): Set<string> {
    const ends = this.#readEnds();
    const owners = this.#readOwners();
    for (const [owner] of this.#ends) {
      if (!ends.has(owner)) this.#mustBeOver(owner, by);
    }
    for (const [requestId, owner] of owners) {
      ensure(ends.has(owner), "owner", () => `the hold of ${requestId} is ${owner}'s, who has no lease`);
      const isNew = !this.#owners.has(requestId);
      ensure(!isNew || owner === by, "owner", () => `${by} placed the hold of ${requestId} for ${owner}`);
      ensure(!isNew || this.isLeased(by), "lease", () => `${by} holds for ${requestId} without a lease`);
    }
    const takenOver = new Set<string>();
    for (const [requestId, owner] of this.#owners) {
      if (owner === by || owners.has(requestId)) continue;
      this.#mustBeOver(owner, by);
      takenOver.add(requestId);
    }
    [this.#ends, this.#owners] = [ends, owners];
    return takenOver;
  }

  #mustBeOver(owner: string, by: string): void {
    const isOver = !this.living.has(owner) || !this.isLeased(owner);
    ensure(isOver, "lease", () => `${by} took over from ${owner}, who lives and has a lease`);
  }

  #readEnds(): Map<string, number> {
    const rows = this.#statements.leases.all() as { owner: string; ends_at_ms: bigint }[];
    return new Map(rows.map(({ owner, ends_at_ms }) => [owner, Number(ends_at_ms)]));
  }

  #readOwners(): Map<string, string> {
    const rows = this.#statements.holds.all() as { request_id: string; owner: string }[];
    return new Map(rows.map(({ request_id, owner }) => [request_id, owner]));
  }
}
