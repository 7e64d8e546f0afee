import { setTimeout as sleep } from "node:timers/promises";
import { createChainVerifier } from "../changes/audit/audit-chain.sql";
import type { Database } from "../database/database";
import { readLastEntrySeq } from "../ledger/reads/read-spent.sql";
import { createStatementReader } from "../ledger/statements/statement-reader.sql";
import { describeRoutes, type RouteActivity } from "../log/routes/describe-routes";
import { readRoutedCalls } from "../log/routes/routed-calls.sql";
import { type RouteDraft, type RouteSimulation, simulateRoutes } from "../log/routes/simulate-routes";
import { isBusy } from "../log/sums/claim-sums.sql";
import { findLastSummedEntry, SUMMING_BATCH_SIZE, sumCalls } from "../log/sums/sum-calls.sql";
import { readChargedUnits } from "../log/usage/charged-units.sql";
import { listUsage } from "../log/usage/list-usage.sql";
import { readModelHealth } from "../log/usage/model-health.sql";
import { sumSelection } from "../log/usage/sum-selection.sql";
import { summarizeUsage } from "../log/usage/summarize-usage";
import {
  type ReplayAnswer,
  type ReplayQuestion,
  type ReportShare,
  replayLimits,
} from "../rate-limits/replay/replay-limits";
import { LimitUsageWriter, readLimitDay, readLimitHistory } from "../rate-limits/stored-limit-usage.sql";
import type { ReportingQuestion } from "./reporting-protocol";

/** How often it looks for new calls. */
const POLL_MS = 5_000;
/** With more charges than this between two looks, calls have priority, unless too many are unsummed. */
const MAX_BACKGROUND_CHARGES = 1_000;
const MAX_UNSUMMED = 50_000;
/** Between two steps of what nobody waits for. */
const PREPARING_REST_MS = 15;

interface ReporterOptions {
  /** Writes sums, and reads them. */
  readonly sums: Database;
  /** For long reads in many steps. */
  readonly reads: Database;
  readonly report: (error: unknown) => void;
}

/**
 * Sums calls and stores peaks of limits in the background, and answers long reads: usage, health, statements, the audit
 * chain.
 */
export class Reporter {
  readonly limits: LimitUsageWriter;
  readonly #verifyChain: ReturnType<typeof createChainVerifier>;
  readonly #statements: ReturnType<typeof createStatementReader>;
  readonly #timer: ReturnType<typeof setInterval>;
  /** The last entry at the last look. */
  #lastSeq: number | null = null;
  #looking: Promise<void> | null = null;
  #summing: Promise<void> | null = null;
  #preparing: Promise<void> | null = null;
  #replaying: Promise<unknown> = Promise.resolve();
  #isClosing = false;

  constructor(private readonly options: ReporterOptions) {
    this.limits = new LimitUsageWriter(options.sums, options.report);
    this.#verifyChain = createChainVerifier(options.reads);
    this.#statements = createStatementReader(options.reads);
    this.#look();
    this.#timer = setInterval(() => {
      this.#look();
      void this.limits.write(Date.now());
    }, POLL_MS);
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** @param signal stops a replay, and `report` is told of it; other questions are answered all the same. */
  answer(question: ReportingQuestion, signal: AbortSignal, report?: ReportShare) {
    const { sums } = this.options;
    if (question.kind === "list") return listUsage(sums, question.question);
    if (question.kind === "selection") return sumSelection(sums, question.selection);
    if (question.kind === "limits") return readLimitHistory(sums, question.projectIds, question.nowMs);
    if (question.kind === "limits of a day") return readLimitDay(sums, question.projectIds, question.nowMs);
    if (question.kind === "replay") return this.#replay(question.question, signal, report);
    if (question.kind === "health") return readModelHealth(sums, question.fromMs);
    if (question.kind === "routes") return this.#describeRoutes(question.model, question.fromMs);
    if (question.kind === "simulated routes")
      return this.#simulateRoutes(question.model, question.fromMs, question.draft);
    if (question.kind === "charged units") return readChargedUnits(sums, question.question);
    if (question.kind === "statements") return this.#statements.listStatements(question.nowMs);
    if (question.kind === "statement") return this.#statements.findStatement(question.month, question.nowMs);
    if (question.kind === "audit chain") return this.#verifyChain(question.nowMs);
    return summarizeUsage(sums, question.question);
  }

  /** One after another: each keeps all its calls in memory. */
  #replay(question: ReplayQuestion, signal: AbortSignal, report?: ReportShare): Promise<ReplayAnswer | null> {
    const replay = this.#replaying.then(() => replayLimits(this.options.sums, question, signal, report));
    this.#replaying = Promise.allSettled([replay]);
    return replay;
  }

  async #describeRoutes(model: string, fromMs: number): Promise<RouteActivity> {
    return describeRoutes(await readRoutedCalls(this.options.reads, model, fromMs));
  }

  async #simulateRoutes(model: string, fromMs: number, draft: RouteDraft): Promise<RouteSimulation> {
    return simulateRoutes(await readRoutedCalls(this.options.reads, model, fromMs), draft);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    await this.#looking;
    await this.#summing;
    await this.#preparing;
    await this.limits.end();
  }

  #look(): void {
    this.#looking ??= this.#lookForCalls()
      .catch((error: unknown) => this.options.report(error))
      .finally(() => {
        this.#looking = null;
      });
  }

  async #lookForCalls(): Promise<void> {
    const { sums } = this.options;
    const seq = await readLastEntrySeq(sums);
    const isCalm = seq - (this.#lastSeq ?? seq) < MAX_BACKGROUND_CHARGES;
    this.#lastSeq = seq;
    if (this.#isClosing) return;
    if (isCalm || seq - (await findLastSummedEntry(sums)) > MAX_UNSUMMED) this.#sum(seq);
    if (isCalm) this.#prepare();
  }

  #sum(lastSeq: number): void {
    const { sums, report } = this.options;
    const clock = { nowMs: () => performance.now(), wait: (ms: number) => sleep(ms) };
    const pace = new SummingPace({ ...clock, readLastSeq: () => readLastEntrySeq(sums) }, lastSeq);
    const pause = async () => {
      await pace.rest();
      return !this.#isClosing;
    };
    this.#summing ??= sumCalls(sums, pause, () => pace.batchSize)
      // Another one writes: they are summed the next time.
      .catch((error: unknown) => {
        if (!isBusy(error)) report(error);
      })
      .finally(() => {
        this.#summing = null;
      });
  }

  #prepare(): void {
    const pause = async () => {
      await sleep(PREPARING_REST_MS);
      return !this.#isClosing;
    };
    this.#preparing ??= this.#statements
      .prepare(Date.now(), pause)
      .catch((error: unknown) => {
        if (!this.#isClosing) this.options.report(error);
      })
      .finally(() => {
        this.#preparing = null;
      });
  }
}

/** The least pause between two steps while calls arrive, and while none do. */
const LEAST_REST_MS = { busy: 25, calm: 10 };
/** Calls per step while none arrive. */
const CALM_BATCH_SIZE = 1_000;

interface PaceOptions {
  /** Returns the time on a monotonic clock. */
  nowMs(): number;
  wait(ms: number): Promise<void>;
  /** The number of the ledger's last entry. */
  readLastSeq(): Promise<number>;
}

/**
 * Paces the steps of summing, each of which locks the store, so that the ledger's writer gets its turns between them.
 */
export class SummingPace {
  #isCalm = false;
  #resumedAtMs: number;

  /** Create it when the first step begins, with the number of the last entry then. */
  constructor(
    private readonly runtime: PaceOptions,
    private lastSeq: number,
  ) {
    this.#resumedAtMs = runtime.nowMs();
  }

  /** The number of calls in the next step. */
  get batchSize(): number {
    return this.#isCalm ? CALM_BATCH_SIZE : SUMMING_BATCH_SIZE;
  }

  /**
   * Call it after each step. Rests at least as long as the step held the lock: the ledger's writer tries again only now
   * and then, and would miss short gaps. While it waits it writes nothing, which looks calm.
   */
  async rest(): Promise<void> {
    const { runtime } = this;
    const tookMs = runtime.nowMs() - this.#resumedAtMs;
    await runtime.wait(Math.max(LEAST_REST_MS[this.#isCalm ? "calm" : "busy"], tookMs));
    this.#resumedAtMs = runtime.nowMs();
    const seq = await runtime.readLastSeq();
    this.#isCalm = seq === this.lastSeq;
    this.lastSeq = seq;
  }
}
