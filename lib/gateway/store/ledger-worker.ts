import type { Database } from "bun:sqlite";
import { openSqlite } from "./database";
import { LedgerBatch } from "./ledger-batch";
import type { FromWriter, ToWriter } from "./ledger-operation";
import { decodeOperations } from "./ledger-wire";
import { reapHolds } from "./reap-holds";

/** The writer thread: one connection, one batch at a time, each batch one transaction that is on disk when it is answered. */
declare const self: Worker;

const IDLE_MS = 100;
/** Under load that never pauses the log is folded back anyway: its file is then written over, which costs less than growing it. */
const COMMITS_UNTIL_CHECKPOINT = 250;

let sqlite: Database | undefined;
let batch: LedgerBatch | undefined;
let commits = 0;
let lastCommitAt = 0;

const answer = (message: FromWriter) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToWriter>) => {
  if (data.kind === "open") return open(data.path, data.nowMs);
  if (data.kind === "close") return close();
  if (!batch) throw new Error("The ledger writer was asked to write before it was opened");
  answer({ kind: "batch", results: batch.apply(decodeOperations(data.operations)) });
  lastCommitAt = performance.now();
  if (++commits >= COMMITS_UNTIL_CHECKPOINT) checkpoint();
};

function open(path: string, nowMs: number): void {
  sqlite = openSqlite(path, { safeIntegers: true });
  // Callers are told within two seconds that the store is held up.
  sqlite.run("PRAGMA busy_timeout = 1500");
  // Folding the log back stalls the writer: done while it is idle instead of in the middle of a commit.
  sqlite.run("PRAGMA wal_autocheckpoint = 0");
  batch = new LedgerBatch(sqlite);
  const reaped = reapHolds(sqlite, batch, nowMs);
  setInterval(() => {
    if (commits > 0 && performance.now() - lastCommitAt > IDLE_MS) checkpoint();
  }, IDLE_MS);
  answer({ kind: "opened", posted: batch.posted, reaped });
}

function checkpoint(): void {
  commits = 0;
  try {
    sqlite?.run("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // On a disk that is full the log can't be folded back, and keeps what it has until it can.
  }
}

function close(): void {
  checkpoint();
  sqlite?.close();
  answer({ kind: "closed" });
}
