import type { AuditChainVerifier, AuditWalk } from "../audit/audit-log-reader";
import type { Statement, StatementHead, StatementReader } from "../balance/statement";
import type { LimitPast, LimitUseStore } from "../rate-limits/limit-uses";
import { storeUnavailable } from "../refusal";
import { databasePath } from "../store/data-folder/open-store-file";
import type { FromSums, SumsQuestion, ToSums } from "../store/sums/sums-protocol";
import type { ModelHealth, ModelHealthReader } from "../usage/model-health";
import type { CallSum, SelectionReader } from "../usage/usage-reader";
import type { UsageRow, UsageSummary, UsageSummaryReader } from "../usage/usage-summary";
import type { StoreOptions } from "./open-stores";

/** After which a thread that ended is started again. */
const AGAIN_MS = 5_000;

interface Asked {
  resolve(answer: never): void;
  reject(reason: unknown): void;
}

/** What is read from the sums, and kept beside them. */
export type CallSums = UsageSummaryReader &
  SelectionReader &
  LimitUseStore &
  ModelHealthReader &
  StatementReader &
  AuditChainVerifier;

/** Sums calls and keeps what limits had in use, in the background, and reads both, on a thread of its own. */
export function openCallSums({
  dataFolder,
  logFault,
}: Pick<StoreOptions, "dataFolder" | "logFault">): CallSums & { close(): Promise<void> } {
  const asked = new Map<number, Asked>();
  const closed = Promise.withResolvers<void>();
  let thread: Worker | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;

  const receive = (message: FromSums) => {
    if (message.kind === "closed") return closed.resolve();
    if (message.kind === "answer") asked.get(message.id)?.resolve(message.answer as never);
    else {
      logFault("sums of calls", message.reason);
      if (message.id !== null) asked.get(message.id)?.reject(storeUnavailable());
    }
    if (message.id !== null) asked.delete(message.id);
  };
  const refuseAll = () => {
    for (const { reject } of asked.values()) reject(storeUnavailable());
    asked.clear();
  };
  const end = (reason: string) => {
    thread?.terminate();
    thread = null;
    logFault("sums of calls", reason);
    refuseAll();
    closed.resolve();
    again = setTimeout(start, AGAIN_MS);
    again.unref();
  };
  const start = () => {
    const started = new Worker(new URL("../store/sums/sums-thread.ts", import.meta.url));
    thread = started;
    started.onmessage = ({ data }: MessageEvent<FromSums>) => receive(data);
    started.onerror = ({ message }) => end(message);
    started.postMessage({ kind: "open", path: databasePath(dataFolder) } satisfies ToSums);
  };
  const ask = <Answer>(question: SumsQuestion) =>
    new Promise<Answer>((resolve, reject) => {
      if (!thread) return reject(storeUnavailable());
      const id = ++lastId;
      asked.set(id, { resolve, reject });
      thread.postMessage({ kind: "ask", id, asked: question } satisfies ToSums);
    });
  start();
  return {
    summarize: (question) => ask<UsageSummary>({ kind: "summarize", question }),
    list: (question) => ask<UsageRow[]>({ kind: "list", question }),
    sumSelection: (selection) => ask<CallSum[] | null>({ kind: "selection", selection }),
    pastOf: (projectIds, nowMs) => ask<LimitPast[]>({ kind: "limits", projectIds, nowMs }),
    modelHealth: (fromMs) => ask<ModelHealth[]>({ kind: "health", fromMs }),
    listStatements: (nowMs) => ask<readonly StatementHead[]>({ kind: "statements", nowMs }),
    findStatement: (month, nowMs) => ask<Statement | null>({ kind: "statement", month, nowMs }),
    verifyChain: (nowMs) => ask<AuditWalk>({ kind: "audit chain", nowMs }),
    keepPeaks(atMs, peaks) {
      thread?.postMessage({ kind: "keep peaks", atMs, peaks } satisfies ToSums);
    },
    async close() {
      clearTimeout(again);
      if (!thread) return;
      thread.postMessage({ kind: "close" } satisfies ToSums);
      await closed.promise;
      clearTimeout(again);
      refuseAll();
      thread?.terminate();
    },
  };
}
