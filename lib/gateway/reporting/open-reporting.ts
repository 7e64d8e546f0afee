import type { AuditChainVerifier, AuditWalk } from "../changes/audit/audit-chain.sql";
import { buildDatabasePath } from "../database/data-folder/open-store-file";
import type { Database } from "../database/database";
import type { Statement, StatementHead, StatementReader } from "../ledger/statements/statement";
import type { RouteActivity, RouteActivityReader } from "../log/routes/describe-routes";
import type { RouteSimulation, RouteSimulator } from "../log/routes/simulate-routes";
import type { ChargedUnits, ChargedUnitsReader } from "../log/usage/charged-units.sql";
import type { ModelHealth, ModelHealthReader } from "../log/usage/model-health.sql";
import type { CallSum, SelectionReader } from "../log/usage/usage-reader.sql";
import type { UsageRow, UsageSummary, UsageSummaryReader } from "../log/usage/usage-summary";
import type { LimitDay, LimitHistory, LimitUsageStore } from "../rate-limits/limit-usage";
import type { LimitReplayer, ReplayAnswer, ReportShare } from "../rate-limits/replay/replay-limits";
import { storeUnavailable } from "../refusal";
import { Reporter } from "./reporter";
import type { FromReporting, ReportingQuestion, ToReporting } from "./reporting-protocol";

/** How long the sums wait for a gateway that has just opened; a read starts the thread at once. */
const FIRST_MS = 2_000;
/** The delay before a thread that ended is started again. */
const AGAIN_MS = 5_000;

interface PendingRead {
  readonly report: ReportShare | undefined;
  resolve(answer: never): void;
  reject(reason: unknown): void;
}

/** Reads that take long, and the peaks that are stored beside the sums of calls. */
type Reporting = UsageSummaryReader &
  SelectionReader &
  LimitUsageStore &
  LimitReplayer &
  ModelHealthReader &
  RouteActivityReader &
  RouteSimulator &
  ChargedUnitsReader &
  StatementReader &
  AuditChainVerifier;

interface ReportingOptions {
  readonly dataFolder: string;
  readonly logFault: (where: string, error: unknown) => void;
}

/**
 * The reporting thread sums calls in the background, and answers reads that would block the event loop. It starts with
 * the first read, or a little after the gateway.
 */
export function openReporting(options: ReportingOptions): Reporting & { close(): Promise<void> } {
  const thread = new ReportingThread(options);
  return {
    ...createReads((question, signal, report) => thread.ask(question, signal, report)),
    savePeaks: (atMs, peaks) => thread.tell({ kind: "keep peaks", atMs, peaks }),
    close: () => thread.close(),
  };
}

class ReportingThread {
  readonly #options: ReportingOptions;
  readonly #pendingReads = new Map<number, PendingRead>();
  readonly #closing = Promise.withResolvers<void>();
  #worker: Worker | null = null;
  #hasStarted = false;
  #starting: ReturnType<typeof setTimeout> | undefined;
  #lastId = 0;

  constructor(options: ReportingOptions) {
    this.#options = options;
    this.#startIn(FIRST_MS);
  }

  /** @throws Refusal while there is no thread, and once nobody waits. */
  ask(question: ReportingQuestion, signal?: AbortSignal, report?: ReportShare): Promise<unknown> {
    this.#startFirst();
    return new Promise((resolve, reject) => {
      if (!this.#worker || signal?.aborted) return reject(storeUnavailable());
      const id = ++this.#lastId;
      this.#pendingReads.set(id, { resolve, reject, report });
      this.#worker.postMessage({ kind: "ask", id, question } satisfies ToReporting);
      const stop = () => {
        if (!this.#pendingReads.delete(id)) return;
        this.tell({ kind: "stop", id });
        reject(storeUnavailable());
      };
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  tell(message: ToReporting): void {
    this.#startFirst();
    this.#worker?.postMessage(message);
  }

  async close(): Promise<void> {
    clearTimeout(this.#starting);
    // A read that comes later starts none.
    this.#hasStarted = true;
    if (!this.#worker) return;
    this.#worker.postMessage({ kind: "close" } satisfies ToReporting);
    await this.#closing.promise;
    clearTimeout(this.#starting);
    this.#refuseAll();
    this.#worker?.terminate();
  }

  #startIn(ms: number): void {
    this.#starting = setTimeout(() => this.#start(), ms);
    this.#starting.unref();
  }

  #startFirst(): void {
    if (this.#hasStarted) return;
    clearTimeout(this.#starting);
    this.#start();
  }

  #start(): void {
    this.#hasStarted = true;
    const worker = new Worker(new URL("./reporting-thread.ts", import.meta.url));
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromReporting>) => this.#receive(data);
    worker.onerror = ({ message }) => this.#end(message);
    const path = buildDatabasePath(this.#options.dataFolder);
    worker.postMessage({ kind: "open", path } satisfies ToReporting);
  }

  #receive(message: FromReporting): void {
    if (message.kind === "closed") return this.#closing.resolve();
    const pending = message.id === null ? undefined : this.#pendingReads.get(message.id);
    if (message.kind === "progress") return pending?.report?.(message.share);
    if (message.kind === "answer") pending?.resolve(message.answer as never);
    else {
      this.#options.logFault("sums of calls", message.reason);
      pending?.reject(storeUnavailable());
    }
    if (message.id !== null) this.#pendingReads.delete(message.id);
  }

  #end(reason: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#options.logFault("sums of calls", reason);
    this.#refuseAll();
    this.#closing.resolve();
    this.#startIn(AGAIN_MS);
  }

  #refuseAll(): void {
    for (const { reject } of this.#pendingReads.values()) reject(storeUnavailable());
    this.#pendingReads.clear();
  }
}

/** Answers from PostgreSQL in the process itself, since no read blocks the event loop there. */
export function openPostgresReporting(
  database: Database,
  logFault: ReportingOptions["logFault"],
): Reporting & { close(): Promise<void> } {
  const report = (error: unknown) => logFault("sums of calls", error);
  const reporter = new Reporter({ sums: database, reads: database, report });
  const ask: AskOnce = async (question, signal = new AbortController().signal, share) => {
    try {
      return await reporter.answer(question, signal, share);
    } catch (error) {
      if (!signal.aborted) report(error);
      throw storeUnavailable();
    }
  };
  return {
    ...createReads(ask),
    savePeaks: (atMs, peaks) => void reporter.limits.add(atMs, peaks),
    close: () => reporter.close(),
  };
}

/** @param signal aborted once nobody waits for the answer. */
type AskOnce = (question: ReportingQuestion, signal?: AbortSignal, report?: ReportShare) => Promise<unknown>;
type Ask = <Answer>(question: ReportingQuestion) => Promise<Answer>;

/**
 * Answers once what is asked again before its answer: by a screen that stopped waiting for it, or by others who open
 * it.
 */
function sharing(ask: AskOnce): Ask {
  const underWay = new Map<string, Promise<unknown>>();
  return <Answer>(question: ReportingQuestion) => {
    const name = JSON.stringify(question, (_, value) => (typeof value === "bigint" ? String(value) : value));
    const sharedAnswer = underWay.get(name) ?? ask(question).finally(() => underWay.delete(name));
    underWay.set(name, sharedAnswer);
    return sharedAnswer as Promise<Answer>;
  };
}

function createReads(askOnce: AskOnce): Omit<Reporting, "savePeaks"> {
  const ask = sharing(askOnce);
  return {
    summarize: (question) => ask<UsageSummary>({ kind: "summarize", question }),
    list: (question) => ask<UsageRow[]>({ kind: "list", question }),
    sumSelection: (selection) => ask<CallSum[] | null>({ kind: "selection", selection }),
    readHistory: (projectIds, nowMs) => ask<LimitHistory[]>({ kind: "limits", projectIds, nowMs }),
    readDay: (projectIds, nowMs) => ask<LimitDay[]>({ kind: "limits of a day", projectIds, nowMs }),
    replay: (question, signal, report) =>
      askOnce({ kind: "replay", question }, signal, report) as Promise<ReplayAnswer | null>,
    modelHealth: (fromMs) => ask<ModelHealth[]>({ kind: "health", fromMs }),
    routeActivity: (model, fromMs) => ask<RouteActivity>({ kind: "routes", model, fromMs }),
    simulateRoutes: (model, fromMs, draft) =>
      ask<RouteSimulation>({ kind: "simulated routes", model, fromMs, draft }),
    chargedUnits: (question) => ask<ChargedUnits[]>({ kind: "charged units", question }),
    listStatements: (nowMs) => ask<readonly StatementHead[]>({ kind: "statements", nowMs }),
    findStatement: (month, nowMs) => ask<Statement | null>({ kind: "statement", month, nowMs }),
    verifyChain: (nowMs) => ask<AuditWalk>({ kind: "audit chain", nowMs }),
  };
}
