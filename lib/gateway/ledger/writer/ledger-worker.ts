import type { Database } from "bun:sqlite";
import { dirname } from "node:path";
import { openSqlite } from "../../database/open-sqlite";
import { StoreGuard, StoreLost } from "../../database/store-guard";
import { readStoreHead, writeStoreHead } from "../../database/store-head";
import { sealReply } from "../../idempotency/idempotent-replies.sql";
import { type StoredFunds, sealTaskText } from "../funds";
import { LedgerBatch, OwnerLease, RENEW_MS } from "./ledger-batch.sql";
import type { FromWriter, ToWriter } from "./ledger-operation";
import { decodeOperations } from "./ledger-wire";

/**
 * The writer thread. It has one connection and handles one batch at a time; each batch is one transaction, on disk
 * before it is answered.
 */
declare const self: Worker;

const IDLE_MS = 100;
/** Under constant load the log is checkpointed anyway: its file is then reused, which costs less than growing it. */
const COMMITS_UNTIL_CHECKPOINT = 250;
const NOTHING: StoredFunds = { posted: 0n, held: 0n };

interface OpenStore {
  readonly sqlite: Database;
  readonly batch: LedgerBatch;
  readonly guard: StoreGuard;
  readonly dataFolder: string;
  readonly noteProgress: () => void;
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
  store.noteProgress();
  const results = store.batch.apply(decodeOperations(data.operations));
  answer({ kind: "batch", results, stored: store.batch.stored });
  lastCommitAt = performance.now();
  if (++commits < COMMITS_UNTIL_CHECKPOINT) return;
  checkpoint(store);
  // The next batch waits for the checkpoint.
  store.noteProgress();
};

function open({ claim, secret, progress }: Extract<ToWriter, { kind: "open" }>): void {
  const sqlite = openSqlite(claim.path, { safeIntegers: true });
  // Callers get an error within two seconds if the store is blocked.
  sqlite.run("PRAGMA busy_timeout = 1500");
  // Checkpointing stalls the writer, so it is done while idle instead of within a commit.
  sqlite.run("PRAGMA wal_autocheckpoint = 0");
  const guard = new StoreGuard(sqlite, claim);
  const sealing = { key: secret, random: (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)) };
  const lease = new OwnerLease(sqlite, claim.owner, clock);
  const noteProgress = () => void Atomics.add(progress, 0, 1);
  const batch = new LedgerBatch(sqlite, lease, {
    guard: guard.check,
    noteProgress,
    seal: (reply, idempotency) => sealReply(reply, idempotency, sealing),
    sealTask: (text, taskId) => sealTaskText(text, taskId, sealing),
  });
  const openedStore = (store = { sqlite, batch, guard, dataFolder: dirname(claim.path), noteProgress });
  batch.keepLease();
  setInterval(() => {
    if (commits > 0 && performance.now() - lastCommitAt > IDLE_MS) checkpoint(openedStore);
    checkStore(openedStore);
  }, IDLE_MS);
  setInterval(() => keepLease(openedStore), RENEW_MS / 10);
  answer({ kind: "opened", stored: batch.stored ?? NOTHING });
}

/** Renews the lease while idle; otherwise each batch renews it. */
function keepLease({ batch }: OpenStore): void {
  try {
    if (!batch.keepLease() || !batch.stored) return;
    answer({ kind: "stored", stored: batch.stored });
  } catch {
    // The renewal is retried, and nothing is held once the lease has expired.
  }
}

/** Reports the loss of the store once, even while idle. */
function checkStore({ guard }: OpenStore): void {
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
    writeStoreHead(dataFolder, readStoreHead(sqlite));
  } catch {
    // On a full disk the log can't be checkpointed, and keeps its data until it can.
  }
}

function close(): void {
  if (store) checkpoint(store);
  store?.sqlite.close(true);
  answer({ kind: "closed" });
}
