import type { Database } from "bun:sqlite";
import { dirname } from "node:path";
import type { StoredFunds } from "../../balance/funds";
import { openSqlite } from "../database";
import { StoreGuard, StoreLost } from "../store-guard";
import { keepStoreHead, readStoreHead } from "../store-head";
import { sealTaskText } from "../tasks/seal-task";
import { LedgerBatch } from "./ledger-batch";
import type { FromWriter, ToWriter } from "./ledger-operation";
import { decodeOperations } from "./ledger-wire";
import { OwnerLease, RENEW_MS } from "./owner-lease";
import { sealReply } from "./seal-reply";

/** The writer thread: one connection, one batch at a time, each batch one transaction that is on disk when it is answered. */
declare const self: Worker;

const IDLE_MS = 100;
/** Under load that never pauses the log is folded back anyway: its file is then written over, which costs less than growing it. */
const COMMITS_UNTIL_CHECKPOINT = 250;
const NOTHING: StoredFunds = { posted: 0n, held: 0n };

interface OpenStore {
  readonly sqlite: Database;
  readonly batch: LedgerBatch;
  readonly guard: StoreGuard;
  readonly dataFolder: string;
}

let store: OpenStore | undefined;
let commits = 0;
let lastCommitAt = 0;
let isLost = false;

const clock = { nowMs: Date.now, monotonicMs: () => performance.now() };
const answer = (message: FromWriter) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToWriter>) => {
  if (data.kind === "open") return open(data);
  if (data.kind === "close") return close();
  if (!store) throw new Error("The ledger writer was asked to write before it was opened");
  const results = store.batch.apply(decodeOperations(data.operations));
  answer({ kind: "batch", results, stored: store.batch.stored });
  lastCommitAt = performance.now();
  if (++commits >= COMMITS_UNTIL_CHECKPOINT) checkpoint(store);
};

function open({ claim, secret }: Extract<ToWriter, { kind: "open" }>): void {
  const sqlite = openSqlite(claim.path, { safeIntegers: true });
  // Callers are told within two seconds that the store is held up.
  sqlite.run("PRAGMA busy_timeout = 1500");
  // Folding the log back stalls the writer: done while it is idle instead of in the middle of a commit.
  sqlite.run("PRAGMA wal_autocheckpoint = 0");
  const guard = new StoreGuard(sqlite, claim);
  const sealing = { key: secret, random: (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)) };
  const lease = new OwnerLease(sqlite, claim.owner, clock);
  const batch = new LedgerBatch(sqlite, lease, {
    guard: guard.check,
    seal: (reply, idempotency) => sealReply(reply, idempotency, sealing),
    sealTask: (text, taskId) => sealTaskText(text, taskId, sealing),
  });
  const opened = (store = { sqlite, batch, guard, dataFolder: dirname(claim.path) });
  batch.keepLease();
  setInterval(() => {
    if (commits > 0 && performance.now() - lastCommitAt > IDLE_MS) checkpoint(opened);
    look(opened);
  }, IDLE_MS);
  setInterval(() => keepLease(opened), RENEW_MS / 10);
  answer({ kind: "opened", stored: batch.stored ?? NOTHING });
}

/** Renews the lease while nobody calls. Otherwise each batch renews it. */
function keepLease({ batch }: OpenStore): void {
  try {
    if (!batch.keepLease() || !batch.stored) return;
    answer({ kind: "stored", stored: batch.stored });
  } catch {
    // It is tried again, and nothing is held once it is over.
  }
}

/** Reports once that the store is lost, even if nobody calls. */
function look({ guard }: OpenStore): void {
  try {
    guard.check();
    isLost = false;
  } catch (error) {
    if (error instanceof StoreLost && !isLost) answer({ kind: "lost", reason: error.message });
    isLost = error instanceof StoreLost;
  }
}

function checkpoint({ sqlite, guard, dataFolder }: OpenStore): void {
  commits = 0;
  try {
    guard.check();
    sqlite.run("PRAGMA wal_checkpoint(PASSIVE)");
    keepStoreHead(dataFolder, readStoreHead(sqlite));
  } catch {
    // On a disk that is full the log can't be folded back, and keeps what it has until it can.
  }
}

function close(): void {
  if (store) checkpoint(store);
  store?.sqlite.close();
  answer({ kind: "closed" });
}
