import { Database as Sqlite } from "bun:sqlite";
import { MAX_WINDOW_MS } from "@/lib/contract/calls/rate-limit-table";
import type { Nano } from "@/lib/money/amount";
import { computeMonthEndMs, computeMonthStartMs } from "../../contract/calendar-month";
import { HeldCalls, type HoldContext } from "../calls/holds/held-call";
import type { ClockAndRandom } from "../clock";
import { createQueryBuilder, type Database } from "../database/database";
import { migrate } from "../database/migrate";
import { readHeld, readSpent } from "../ledger/reads/read-spent.sql";
import { SpendTracker } from "../ledger/spend-limits/spend-tracker";
import { LedgerBatch, OwnerLease } from "../ledger/writer/ledger-batch.sql";
import { EmbeddedAdmissions } from "../rate-limits/embedded-admissions";
import { readPastCalls } from "../rate-limits/read-past-calls.sql";
import type { Scope } from "../scope";
import type { ExactLog } from "./exact-log";
import { SimulatedFunds } from "./simulated-funds";
import { type Watch, WatchedAdmissions } from "./watched-admissions";

interface ProcessSettings {
  /** The owner name on its holds. */
  readonly owner: string;
  /** Whether no other process can run on the store, so that it may take over open holds at once. */
  readonly isAlone: boolean;
  readonly runtime: ClockAndRandom;
  readonly store: SimulatedStore;
  readonly log: ExactLog;
  readonly isFirst: boolean;
  readonly spendLimits: ReadonlyMap<Scope, Nano>;
  readonly watch: Pick<Watch, "isElsewhere" | "admitted" | "released">;
}

const MAX_CONCURRENT = 12;

/** A gateway's memory, built at start from the store. */
export class SimulatedProcess {
  private constructor(
    readonly context: HoldContext,
    readonly owner: string,
    readonly funds: SimulatedFunds,
    readonly spend: SpendTracker,
  ) {}

  /**
   * Starts as the gateway does: takes a lease and the holds of dead processes, then restores the windows.
   * @returns null if the store doesn't accept the resolved holds.
   */
  static async start(
    { owner, isAlone, runtime, store, log, isFirst, spendLimits, watch }: ProcessSettings,
    afterCommit: () => void,
  ): Promise<SimulatedProcess | null> {
    const nowMs = runtime.clock.nowMs();
    const batch = new LedgerBatch(store.sqlite, new OwnerLease(store.sqlite, owner, runtime.clock));
    const funds = new SimulatedFunds(batch, log.nowMs);
    if (!funds.keepLease()) return null;
    afterCommit();
    const [takeover] = batch.apply([
      { kind: "take over", owners: isAlone ? "all but mine" : "expired", nowMs },
    ]);
    if (typeof takeover !== "number") return null;
    afterCommit();
    funds.refresh();
    const spend = new SpendTracker({
      limits: Array.from(spendLimits, ([scope, limit]) => ({ scope, limit })),
      spent: await readSpent(store.database, computeMonthStartMs(nowMs), computeMonthEndMs(nowMs)),
      held: await readHeld(store.database),
      nowMs,
    });
    const sinceStart = { ...runtime.clock, monotonicMs: () => runtime.clock.nowMs() - nowMs };
    const embedded = new EmbeddedAdmissions(funds, spend, {
      clock: sinceStart,
      currency: "USD",
      maxConcurrentRequests: MAX_CONCURRENT,
    });
    embedded.windows.restore(await readPastCalls(store.database, nowMs, MAX_WINDOW_MS));
    const admissions = new WatchedAdmissions({ ...watch, log, wasRebuilt: !isFirst }, embedded);
    const heldCalls = new HeldCalls();
    const context = { admissions, funds, heldCalls, runtime: { ...runtime, clock: sinceStart } };
    return new SimulatedProcess(context, owner, funds, spend);
  }
}

/** The real tables in memory: committed data survives a crash of the simulated process, and nothing else does. */
export class SimulatedStore {
  readonly sqlite: Sqlite;
  readonly database: Database;
  isBroken = false;

  constructor(template: Uint8Array) {
    this.sqlite = Sqlite.deserialize(template, { strict: true, safeIntegers: true });
    this.sqlite.run("PRAGMA foreign_keys = ON");
    this.database = createQueryBuilder(this.sqlite);
  }

  /** SQLite itself fails: all writes in read-only mode, or those that need a new page on a full disk. */
  breakDown(how: "read only" | "disk full"): void {
    this.isBroken = true;
    this.sqlite.run(how === "read only" ? "PRAGMA query_only = ON" : "PRAGMA max_page_count = 1");
  }

  repair(): void {
    this.isBroken = false;
    this.sqlite.run("PRAGMA query_only = OFF");
    this.sqlite.run("PRAGMA max_page_count = 1000000");
  }

  [Symbol.dispose](): void {
    this.sqlite.close();
  }
}

/** An empty migrated store that each seed starts from. */
export async function makeStoreTemplate(): Promise<Uint8Array> {
  using sqlite = new Sqlite(":memory:", { strict: true });
  // Small pages, so that a full disk fails in the middle of a batch and not always at its first row.
  sqlite.run("PRAGMA page_size = 512");
  await migrate(sqlite);
  return sqlite.serialize();
}
