import { LONGEST_WINDOW_MS } from "@/lib/contract/rate-limit-table";
import type { Nano } from "@/lib/money/amount";
import { BalanceMirror } from "../balance/balance-mirror";
import { monthStartMs } from "../balance/calendar-month";
import { SpendBook, type SpendScope } from "../balance/spend-book";
import type { LedgerContext } from "../completions/open-call";
import { OpenCalls } from "../completions/open-calls";
import type { Effects } from "../ports/effects";
import { LedgerBatch } from "../store/ledger-batch";
import { readPastCalls } from "../store/read-past-calls";
import { readSpent } from "../store/read-spent";
import { reapHolds } from "../store/reap-holds";
import { createSqliteLedgerReader } from "../store/sqlite-ledger-reader";
import { type PerfectLog, WatchedAdmissions } from "./perfect-log";
import { SimulatedFunds } from "./simulated-funds";
import type { SimulatedStore } from "./simulated-store";

interface ProcessSettings {
  readonly effects: Effects;
  readonly store: SimulatedStore;
  readonly log: PerfectLog;
  readonly isFirst: boolean;
  readonly spendLimits: ReadonlyMap<SpendScope, Nano>;
}

const MOST_AT_ONCE = 12;

/** What a gateway keeps in memory, built at its start from what is stored. */
export class SimulatedProcess {
  private constructor(
    readonly context: LedgerContext,
    readonly funds: SimulatedFunds,
    readonly balance: BalanceMirror,
    readonly spend: SpendBook,
  ) {}

  /**
   * As the gateway starts: holds are reaped, then balance and windows are read.
   * @throws Error when the store doesn't take what the reaper resolves.
   */
  static async start(
    { effects, store, log, isFirst, spendLimits }: ProcessSettings,
    afterReaping: (posted: Nano) => void,
  ): Promise<SimulatedProcess> {
    const nowMs = effects.clock.nowMs();
    const batch = new LedgerBatch(store.sqlite);
    reapHolds(store.sqlite, batch, nowMs);
    const { posted } = await createSqliteLedgerReader(store.database).balance();
    afterReaping(posted);
    const balance = new BalanceMirror(posted);
    const spend = new SpendBook({
      limits: Array.from(spendLimits, ([scope, limit]) => ({ scope, limit })),
      spent: await readSpent(store.database, monthStartMs(nowMs)),
      nowMs,
    });
    const sinceStart = { ...effects.clock, monotonicMs: () => effects.clock.nowMs() - nowMs };
    const admissions = new WatchedAdmissions(
      { log, nowMs: effects.clock.nowMs, wasRebuilt: !isFirst },
      balance,
      spend,
      { clock: sinceStart, currency: "USD", maxConcurrentRequests: MOST_AT_ONCE },
    );
    admissions.restore(await readPastCalls(store.database, nowMs, LONGEST_WINDOW_MS));
    const funds = new SimulatedFunds(batch);
    const openCalls = new OpenCalls();
    const context = { admissions, funds, openCalls, effects: { ...effects, clock: sinceStart } };
    return new SimulatedProcess(context, funds, balance, spend);
  }
}
