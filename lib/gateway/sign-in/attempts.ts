import { MINUTE_MS } from "@/lib/contract/durations";
import { type ChangeContext, systemChange } from "../changes/change";
import type { Transaction } from "../changes/transaction";
import type { Clock } from "../clock";
import { Refusal, retryAfter } from "../refusal";
import { hashSecret } from "../secrets/hash-secret";
import type { AttemptRule } from "./attempt-rules";

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30 * MINUTE_MS;

/** An account, a device or a network that attempts are counted for. */
interface Counter {
  /** The store has its hash alone. */
  readonly name: string;
  readonly rule: AttemptRule;
}

export interface AttemptRecord {
  readonly name: string;
  /** The count at the last attempt; it decays from there. */
  readonly count: number;
  readonly lastAtMs: number;
}

type ChangeRecords = (records: readonly AttemptRecord[]) => readonly AttemptRecord[];

export interface AttemptStore {
  /** The committed records of these names. */
  list(names: readonly string[]): Promise<readonly AttemptRecord[]>;
  /** Reads the records of these names and writes those that `change` returns, atomically. */
  change(transaction: Transaction, names: readonly string[], change: ChangeRecords): Promise<void>;
  /** Deletes the records whose last attempt was at or before `untilMs`. */
  prune(transaction: Transaction, untilMs: number): Promise<void>;
}

/** An attempt, counted before its outcome is known. */
export interface CountedAttempt {
  /** Uncounts a successful attempt. */
  takeBack(): Promise<void>;
}

/** A change of some records that waits to be stored. */
interface PendingChange {
  readonly names: readonly string[];
  readonly change: ChangeRecords;
  readonly done: ReturnType<typeof Promise.withResolvers<void>>;
}

/** Changes of records that share a transaction. */
const BATCH_SIZE = 100;

/**
 * Counts attempts in the store, so that a restart does not reset them. After the free ones, each attempt has to wait:
 * first 1 s, then twice as long each time, at most half an hour. Anybody can make attempts, so those made at the same
 * time share one transaction, and those that have to wait begin none.
 */
export class Attempts {
  #pending: PendingChange[] = [];
  #isStoring = false;

  constructor(
    private readonly store: AttemptStore,
    private readonly context: ChangeContext & { readonly runtime: { readonly clock: Clock } },
  ) {}

  /**
   * Counts an attempt under all of these names, before any expensive work.
   * @throws Refusal 429 with an exact `retry-after` if one of them has to wait; the attempt is then not counted.
   */
  async count(counters: readonly Counter[]): Promise<CountedAttempt> {
    const nowMs = this.context.runtime.clock.nowMs();
    const hashedCounters = counters.map(({ name, rule }) => ({ name: hashSecret(name), rule }));
    const names = hashedCounters.map(({ name }) => name);
    const countIn = (records: readonly AttemptRecord[]) =>
      countOnce(
        hashedCounters.map(({ name, rule }) => ({ rule, record: findRecord(records, name, nowMs) })),
        nowMs,
      );
    refuseEarly(countIn(await this.store.list(names)));
    let waitMs = 0;
    await this.#change(names, (records) => {
      const counted = countIn(records);
      ({ waitMs } = counted);
      return counted.records;
    });
    refuseEarly({ waitMs });
    return { takeBack: () => this.#takeBack(names) };
  }

  #change(names: readonly string[], change: ChangeRecords): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#pending.push({ names, change, done });
    if (!this.#isStoring) void this.#storePending();
    return done.promise;
  }

  async #storePending(): Promise<void> {
    this.#isStoring = true;
    while (this.#pending.length > 0) {
      let stored: PendingChange[] = [];
      try {
        await systemChange(this.context, "sign-in bookkeeping", async (transaction) => {
          // Taken only now, so that all attempts that came while this waited for its turn are stored with it.
          stored = this.#pending.splice(0, BATCH_SIZE);
          for (const { names, change } of stored) await this.store.change(transaction, names, change);
        });
        for (const { done } of stored) done.resolve();
      } catch (error) {
        // A store that doesn't begin a transaction must not be asked again without end.
        if (stored.length === 0) stored = this.#pending.splice(0);
        for (const { done } of stored) done.reject(error);
      }
    }
    this.#isStoring = false;
  }

  #takeBack(names: readonly string[]): Promise<void> {
    return this.#change(names, (records) =>
      records.map((record) => ({ ...record, count: Math.max(0, record.count - 1) })),
    );
  }
}

/** The records after one more attempt; none if it has to wait. */
function countOnce(
  counters: readonly { readonly rule: AttemptRule; readonly record: AttemptRecord }[],
  nowMs: number,
): { waitMs: number; records: AttemptRecord[] } {
  const waitMs = Math.max(...counters.map(({ rule, record }) => computeWait(rule, record, nowMs)));
  if (waitMs > 0) return { waitMs, records: [] };
  const records = counters.map(({ rule, record }) => ({
    name: record.name,
    count: countLeft(rule, record, nowMs) + 1,
    lastAtMs: nowMs,
  }));
  return { waitMs: 0, records };
}

function refuseEarly({ waitMs }: { readonly waitMs: number }): void {
  if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000));
}

function findRecord(records: readonly AttemptRecord[], name: string, nowMs: number): AttemptRecord {
  return records.find((record) => record.name === name) ?? { name, count: 0, lastAtMs: nowMs };
}

/** Returns at least 0: a clock that was set back must not lengthen the wait. */
function measureElapsed({ lastAtMs }: AttemptRecord, nowMs: number): number {
  return Math.max(0, nowMs - lastAtMs);
}

function computeWait({ free }: AttemptRule, record: AttemptRecord, nowMs: number): number {
  const paused = Math.ceil(record.count - free + 1);
  if (paused <= 0) return 0;
  const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (paused - 1));
  return pauseMs - measureElapsed(record, nowMs);
}

function countLeft({ recoverMs }: AttemptRule, record: AttemptRecord, nowMs: number): number {
  return Math.max(0, record.count - measureElapsed(record, nowMs) / recoverMs);
}

function tooMany(seconds: number): Refusal {
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} s`;
  const message = `There were too many attempts. Try again in ${wait}.`;
  return new Refusal(429, "rate_limit_error", "too_many_attempts", message, {
    headers: retryAfter(seconds),
  });
}
