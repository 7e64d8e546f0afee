import { computeMonthEndMs, computeMonthStartMs } from "@/lib/contract/calendar-month";
import { type Nano, toNano, ZERO } from "@/lib/money/amount";
import type { Scope } from "../../scope";

export interface SpendLimitRecord {
  readonly scope: Scope;
  readonly limit: Nano;
}

/** The amount that a limit leaves in the month that ends at `endMs`. */
export interface SpendHeadroom {
  readonly scope: Scope;
  readonly limit: Nano;
  /** The charges, plus the holds of calls in progress. */
  readonly spent: Nano;
  /** What is left of the limit, at least 0. */
  readonly remaining: Nano;
  readonly endMs: number;
}

/** Is told after each charge of the cost of the month so far. */
interface SpendListener {
  note(scope: Scope, spent: bigint, nowMs: number): void;
}

/** The sum of a project's charges in one month; null for those without a project. */
interface ProjectCharges {
  readonly projectId: string | null;
  readonly amount: Nano;
}

/** The number of left months that are remembered. */
const LEFT_MONTHS = 3;

interface Account {
  limit: Nano | null;
  spent: bigint;
  held: bigint;
  /** Whether the limit refused the last call that it applied to. */
  isRefusing: boolean;
}

/**
 * The cost of calls in the current calendar month (UTC), by project and in total, and the limits on it. In memory, so
 * that no call reads the store. A hold counts in the month in which it is settled, so near a month's end it counts in
 * both. The ledger is the source of truth: each start counts again from it.
 */
export class SpendTracker {
  readonly #accounts = new Map<Scope, Account>();
  readonly #alerts: SpendListener | undefined;
  #startMs: number;
  #endMs: number;
  /** The sums of the months that the clock has left, by their start. */
  readonly #leftMonths = new Map<number, ReadonlyMap<Scope, bigint>>();

  constructor(state: {
    readonly limits: Iterable<SpendLimitRecord>;
    readonly spent: Iterable<ProjectCharges>;
    /** The charges of other months, in case a corrected clock goes back to one. */
    readonly leftMonths?: Iterable<{ readonly startMs: number; readonly spent: Iterable<ProjectCharges> }>;
    /** Holds of other processes' calls. They count until the next start. */
    readonly held?: Iterable<{ readonly projectId: string; readonly amount: Nano }>;
    readonly nowMs: number;
    readonly alerts?: SpendListener;
  }) {
    this.#startMs = computeMonthStartMs(state.nowMs);
    this.#endMs = computeMonthEndMs(state.nowMs);
    this.#alerts = state.alerts;
    for (const { scope, limit } of state.limits) this.setLimit(scope, limit);
    for (const [scope, sum] of sumByScope(state.spent)) this.#account(scope).spent = sum;
    for (const { startMs, spent } of state.leftMonths ?? []) this.#leftMonths.set(startMs, sumByScope(spent));
    for (const { projectId, amount } of state.held ?? []) this.hold(projectId, amount);
  }

  /**
   * How much a project's next call may cost: the smaller of what its own and the organization's limit leave; null
   * without a limit.
   */
  headroomFor(projectId: string, nowMs: number): SpendHeadroom | null {
    this.#turnMonth(nowMs);
    const ofProject = this.#findHeadroom(projectId);
    const ofOrganization = this.#findHeadroom(null);
    return ofProject && ofOrganization
      ? ofProject.remaining < ofOrganization.remaining
        ? ofProject
        : ofOrganization
      : (ofProject ?? ofOrganization);
  }

  /** Records that a limit has just refused a call. */
  noteRefusing(scope: Scope): void {
    this.#account(scope).isRefusing = true;
  }

  hold(projectId: string, amount: Nano): void {
    this.#hold(null, amount);
    this.#hold(projectId, amount);
  }

  #hold(scope: Scope, amount: Nano): void {
    const account = this.#account(scope);
    account.held += amount;
    // What costs nothing says nothing of the limit.
    if (amount > ZERO) account.isRefusing = false;
  }

  settle(projectId: string, heldAmount: Nano, charge: Nano, nowMs: number): void {
    this.#turnMonth(nowMs);
    this.#settle(null, heldAmount, charge, nowMs);
    this.#settle(projectId, heldAmount, charge, nowMs);
  }

  #settle(scope: Scope, heldAmount: Nano, charge: Nano, nowMs: number): void {
    const account = this.#account(scope);
    account.held -= heldAmount;
    account.spent += charge;
    this.#alerts?.note(scope, account.spent, nowMs);
  }

  /** Takes over the figures of a store that counts for all processes. */
  follow(
    scope: Scope,
    { spent, held }: { readonly spent: bigint; readonly held: bigint },
    nowMs: number,
  ): void {
    this.#turnMonth(nowMs);
    const account = this.#account(scope);
    const isCharged = spent !== account.spent;
    account.spent = spent;
    account.held = held;
    if (isCharged) this.#alerts?.note(scope, spent, nowMs);
  }

  /** The cost of the month so far in nano-units, without holds. */
  spentBy(scope: Scope, nowMs: number): bigint {
    this.#turnMonth(nowMs);
    return this.#accounts.get(scope)?.spent ?? 0n;
  }

  release(projectId: string, heldAmount: Nano): void {
    this.#account(null).held -= heldAmount;
    this.#account(projectId).held -= heldAmount;
  }

  /** Sets a limit, from the next call on; null removes it. */
  setLimit(scope: Scope, limit: Nano | null): void {
    const account = this.#account(scope);
    account.limit = limit;
    account.isRefusing = false;
  }

  find(scope: Scope, nowMs: number): { limit: Nano; isRefusing: boolean } | null {
    this.#turnMonth(nowMs);
    const { limit = null, isRefusing = false } = this.#accounts.get(scope) ?? {};
    return limit === null ? null : { limit, isRefusing };
  }

  #findHeadroom(scope: Scope): SpendHeadroom | null {
    const account = this.#accounts.get(scope);
    const limit = account?.limit ?? null;
    if (!account || limit === null) return null;
    const spent = toNano(account.spent + account.held);
    return {
      scope,
      limit,
      spent,
      remaining: spent < limit ? toNano(limit - spent) : ZERO,
      endMs: this.#endMs,
    };
  }

  #account(scope: Scope): Account {
    let account = this.#accounts.get(scope);
    if (!account) {
      account = { limit: null, spent: 0n, held: 0n, isRefusing: false };
      this.#accounts.set(scope, account);
    }
    return account;
  }

  /** Turns to another month. The sums of those it leaves are kept, since a wrong clock may be corrected. */
  #turnMonth(nowMs: number): void {
    if (nowMs >= this.#startMs && nowMs < this.#endMs) return;
    const leftSums = [...this.#accounts].map(([scope, { spent }]) => [scope, spent] as const);
    this.#leftMonths.set(this.#startMs, new Map(leftSums));
    this.#startMs = computeMonthStartMs(nowMs);
    this.#endMs = computeMonthEndMs(nowMs);
    const sums = this.#leftMonths.get(this.#startMs);
    this.#leftMonths.delete(this.#startMs);
    for (const account of this.#accounts.values()) {
      account.spent = 0n;
      account.isRefusing = false;
    }
    for (const [scope, sum] of sums ?? []) this.#account(scope).spent = sum;
    const [oldestMs = 0] = this.#leftMonths.keys();
    if (this.#leftMonths.size > LEFT_MONTHS) this.#leftMonths.delete(oldestMs);
  }
}

function sumByScope(charges: Iterable<ProjectCharges>): Map<Scope, bigint> {
  const sums = new Map<Scope, bigint>();
  const add = (scope: Scope, amount: bigint) => sums.set(scope, (sums.get(scope) ?? 0n) + amount);
  for (const { projectId, amount } of charges) {
    add(null, amount);
    if (projectId !== null) add(projectId, amount);
  }
  return sums;
}
