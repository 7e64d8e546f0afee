import { dirname } from "node:path";
import { openSqlite } from "../database/open-sqlite";
import type { Reconciliation } from "../ledger/reconciliation";
import { readKeptHead } from "./checks/audit-checks";
import { reconcile } from "./reconcile";

/** The thread that runs one proof of the books and then ends. */
declare const self: Worker;

export interface ToReconciler {
  readonly path: string;
  readonly nowMs: number;
  readonly isWhole: boolean;
  /** The first number in it becomes nonzero when the proof is to be canceled. */
  readonly stop: SharedArrayBuffer;
}
export type FromReconciler =
  | { readonly kind: "progress"; readonly verified: number; readonly entries: number }
  | { readonly kind: "proof"; readonly proof: Reconciliation };

const answer = (message: FromReconciler) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToReconciler>) => {
  const startedMs = performance.now();
  const proof = prove(data);
  // The database is closed before this message, so the parent may end the thread.
  answer({ kind: "proof", proof: { ...proof, tookMs: Math.round(performance.now() - startedMs) } });
};

function prove({ path, nowMs, isWhole, stop }: ToReconciler) {
  const stopped = new Int32Array(stop);
  using sqlite = openSqlite(path, { safeIntegers: true });
  // Calls have priority: this thread's writes can wait.
  sqlite.run("PRAGMA busy_timeout = 0");
  sqlite.run("PRAGMA wal_autocheckpoint = 0");
  return reconcile(sqlite, {
    nowMs,
    isWhole,
    // Read before the first snapshot: a running gateway only keeps a head of data that is already on disk.
    keptHead: readKeptHead(dirname(path)),
    progress(verified, entries) {
      answer({ kind: "progress", verified, entries });
      return Atomics.load(stopped, 0) === 0;
    },
  });
}
