import { findNetwork } from "@/lib/client-address/find-network";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { type ChangeContext, systemChange } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import type { Clock, ClockAndRandom } from "../clock";
import { Refusal, retryAfter } from "../refusal";
import { hashSecret, newToken } from "../secrets/secret";
import type { AttemptRecord, AttemptStore, ChangeRecords, DeviceStore } from "./sign-in-state.sql";

/** How many attempts are free, and how long until one of them is forgotten. */
interface AttemptRule {
  readonly free: number;
  readonly recoverMs: number;
}

/**
 * Strangers get 62 guesses at one account on the first day, where NIST SP 800-63B (3.2.2) allows a hundred in all
 * before the account is locked. Ours is never locked for a device that its owner has signed in with.
 */
export const attemptRules = {
  /** Passwords and codes for one account, from devices it has not signed in with. */
  account: { free: 5, recoverMs: 360 * MINUTE_MS },
  /** The same from a known device of the member, and in a session: the member's own typing errors. */
  ownDevice: { free: 10, recoverMs: 10 * MINUTE_MS },
  /** The same from one network, for all accounts together: an office has many people. */
  network: { free: 20, recoverMs: 2 * MINUTE_MS },
  /** Mails to one address. */
  mail: { free: 3, recoverMs: 20 * MINUTE_MS },
  /** Mails requested from one network. */
  networkMails: { free: 10, recoverMs: 6 * MINUTE_MS },
  /** Failed single sign-ons from one network. */
  networkSignOns: { free: 60, recoverMs: 10_000 },
} as const satisfies Readonly<Record<string, AttemptRule>>;

/** A counter is forgotten after this long without an attempt. */
export const ATTEMPTS_KEPT_MS = DAY_MS;

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30 * MINUTE_MS;

/** An account, a device or a network that attempts are counted for. */
interface Counter {
  /** The store has its hash alone. */
  readonly name: string;
  readonly rule: AttemptRule;
}

/** An attempt, counted before its outcome is known. */
interface CountedAttempt {
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

/** An attempt. `userId` is null if no member has the address; such attempts count all the same. */
interface Attempt {
  readonly what: "password" | "code" | "mail";
  readonly email: string;
  readonly userId: string | null;
}

const rulesByAttempt: Readonly<Record<Attempt["what"], { account: AttemptRule; network: AttemptRule }>> = {
  password: attemptRules,
  code: attemptRules,
  mail: { account: attemptRules.mail, network: attemptRules.networkMails },
};

/**
 * Counts an attempt at an account: under the device if it is known to the member, so that strangers can't use up the
 * member's attempts; otherwise under the account and the network.
 * @throws Refusal 429
 */
export async function countAttempt(
  { attempts, devices }: { attempts: Attempts; devices: DeviceStore },
  client: SignInClient,
  { what, email, userId }: Attempt,
): Promise<CountedAttempt> {
  const device = hashDevice(client);
  const members = device === null ? [] : await devices.listMembers(device);
  if (userId !== null && members.includes(userId)) {
    return attempts.count([{ name: `${what} ${userId} ${device}`, rule: attemptRules.ownDevice }]);
  }
  const { account, network } = rulesByAttempt[what];
  return attempts.count([
    { name: `${what} ${email}`, rule: account },
    { name: `${what} from ${findNetwork(client.address ?? "unknown")}`, rule: network },
  ]);
}

/**
 * Counts a single sign-on by its network: each one costs the OpenID provider and the gateway work.
 * @throws Refusal 429
 */
export function countSingleSignOn(
  { attempts }: { attempts: Attempts },
  { address }: SignInClient,
): Promise<CountedAttempt> {
  const rule = attemptRules.networkSignOns;
  return attempts.count([{ name: `single sign-on from ${findNetwork(address ?? "unknown")}`, rule }]);
}

/** The client that a sign-in comes from. */
export interface SignInClient {
  /** Null if it is unknown. */
  readonly address: string | null;
  /** The user agent that the client sent. */
  readonly userAgent: string | null;
  /** The token of a known device. */
  readonly deviceToken: string | null;
}

/** A device is forgotten after half a year without a sign-in. */
export const DEVICES_KEPT_MS = 180 * DAY_MS;

/** Remembers the device of a member who has just signed in. @returns its new token; null if it had one. */
export async function rememberDevice(
  { devices, runtime }: { devices: DeviceStore; runtime: ClockAndRandom },
  transaction: Transaction,
  client: SignInClient,
  userId: string,
): Promise<string | null> {
  const atMs = runtime.clock.nowMs();
  const deviceHash = hashDevice(client);
  if (deviceHash !== null && (await devices.listMembers(deviceHash)).length > 0) {
    await devices.keep(transaction, deviceHash, userId, atMs);
    return null;
  }
  const token = newToken("gd_", runtime.random);
  await devices.keep(transaction, hashSecret(token), userId, atMs);
  return token;
}

export function hashDevice({ deviceToken }: SignInClient): string | null {
  return deviceToken === null ? null : hashSecret(deviceToken);
}
