import type { Database as Sqlite } from "bun:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { createChainVerifier } from "../changes/audit/audit-chain.sql";
import { openReads } from "../database/database";
import { readLastEntrySeq } from "../ledger/reads/read-spent.sql";
import { createStatementReader } from "../ledger/statements/statement-reader.sql";
import { findLastSummedEntry, isBusy, openSums, sumCalls } from "../log/sums/sum-calls.sql";
import { SummingPace } from "../log/sums/summing-pace";
import { readChargedUnits } from "../log/usage/charged-units.sql";
import { listUsage } from "../log/usage/list-usage.sql";
import { readModelHealth } from "../log/usage/model-health.sql";
import { sumSelection } from "../log/usage/sum-selection.sql";
import { summarizeUsage } from "../log/usage/summarize-usage";
import { LimitUsageWriter, readLimitDay, readLimitHistory } from "../rate-limits/stored-limit-usage.sql";
import type { FromReporting, ReportingQuestion, ToReporting } from "./reporting-protocol";

/**
 * The reporting thread. It sums calls and stores peaks of limits in the background, and answers long reads (usage,
 * health, statements, the audit chain), so that none of this keeps a call waiting.
 */
declare const self: Worker;

/** How often it looks for new calls. */
const POLL_MS = 5_000;
/** With more charges than this between two looks, calls have priority, unless too many are unsummed. */
const MAX_BACKGROUND_CHARGES = 1_000;
const MAX_UNSUMMED = 50_000;
/** Between two steps of what nobody waits for. */
const PREPARING_REST_MS = 15;

interface Store {
  readonly sqlite: Sqlite;
  readonly verifyChain: ReturnType<typeof createChainVerifier>;
  readonly statements: ReturnType<typeof createStatementReader>;
  close(): Promise<void>;
}

let store: Store | undefined;
let timer: ReturnType<typeof setInterval> | undefined;
let underWay: Promise<void> | null = null;
let preparing: Promise<void> | null = null;
let isClosing = false;
let uses: LimitUsageWriter | undefined;

const answer = (message: FromReporting) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToReporting>) => {
  if (data.kind === "open") openStore(data.path);
  else if (data.kind === "close") void close();
  else if (data.kind === "keep peaks") uses?.add(data.atMs, data.peaks);
  else if (store) void answerFrom(store, data);
};

function openStore(path: string): void {
  const sqlite = openSums(path);
  const reads = openReads(path);
  const statements = createStatementReader(reads);
  store = {
    sqlite,
    verifyChain: createChainVerifier(reads),
    statements,
    async close() {
      await reads.destroy();
      sqlite.close(true);
    },
  };
  let lastSeq = readLastEntrySeq(sqlite);
  const poll = () => {
    const seq = readLastEntrySeq(sqlite);
    const isCalm = seq - lastSeq < MAX_BACKGROUND_CHARGES;
    lastSeq = seq;
    if (isCalm || seq - findLastSummedEntry(sqlite) > MAX_UNSUMMED) sum(sqlite);
    if (isCalm) prepare(statements);
  };
  poll();
  const writer = new LimitUsageWriter(sqlite, (error) =>
    answer({ kind: "fault", id: null, reason: String(error) }),
  );
  uses = writer;
  timer = setInterval(() => {
    poll();
    writer.write(Date.now());
  }, POLL_MS);
}

function sum(sqlite: Sqlite): void {
  const pace = new SummingPace({
    nowMs: () => performance.now(),
    wait: (ms) => sleep(ms),
    lastSeq: () => readLastEntrySeq(sqlite),
  });
  const pause = async () => {
    await pace.rest();
    return !isClosing;
  };
  underWay ??= sumCalls(sqlite, pause, () => pace.batchSize)
    // The writer is busy: they are summed the next time.
    .catch((error: unknown) => {
      if (!isBusy(error)) answer({ kind: "fault", id: null, reason: String(error) });
    })
    .finally(() => {
      underWay = null;
    });
}

function prepare(statements: Store["statements"]): void {
  const pause = async () => {
    await sleep(PREPARING_REST_MS);
    return !isClosing;
  };
  preparing ??= statements
    .prepare(Date.now(), pause)
    .catch((error: unknown) => {
      if (!isClosing) answer({ kind: "fault", id: null, reason: String(error) });
    })
    .finally(() => {
      preparing = null;
    });
}

function find({ sqlite, verifyChain, statements }: Store, question: ReportingQuestion) {
  if (question.kind === "list") return listUsage(sqlite, question.question);
  if (question.kind === "selection") return sumSelection(sqlite, question.selection);
  if (question.kind === "limits") return readLimitHistory(sqlite, question.projectIds, question.nowMs);
  if (question.kind === "limits of a day") return readLimitDay(sqlite, question.projectIds, question.nowMs);
  if (question.kind === "health") return readModelHealth(sqlite, question.fromMs);
  if (question.kind === "charged units") return readChargedUnits(sqlite, question.question);
  if (question.kind === "statements") return statements.listStatements(question.nowMs);
  if (question.kind === "statement") return statements.findStatement(question.month, question.nowMs);
  if (question.kind === "audit chain") return verifyChain(question.nowMs);
  return summarizeUsage(sqlite, question.question);
}

async function answerFrom(
  from: Store,
  { id, question }: Extract<ToReporting, { kind: "ask" }>,
): Promise<void> {
  try {
    answer({ kind: "answer", id, answer: await find(from, question) });
  } catch (error) {
    // Reads in several steps fail when their connection closes.
    if (!isClosing) answer({ kind: "fault", id, reason: String(error) });
  }
}

async function close(): Promise<void> {
  isClosing = true;
  clearInterval(timer);
  await underWay;
  await preparing;
  await uses?.end();
  await store?.close();
  answer({ kind: "closed" });
}
