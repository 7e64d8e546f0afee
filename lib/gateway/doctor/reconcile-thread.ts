import { dirname } from "node:path";
import type { Reconciliation } from "@/lib/gateway/balance/reconciliation";
import { openSqlite } from "@/lib/gateway/store/database";
import { findKeptHead } from "@/lib/gateway/store/store-head";
import { reconcile } from "./reconcile";

/** The thread that proves the books once, and ends. */
declare const self: Worker;

export interface ToReconciler {
  readonly path: string;
  readonly nowMs: number;
  readonly isWhole: boolean;
  /** Its first number is not 0 once the proof is to be given up. */
  readonly stop: SharedArrayBuffer;
}
export type FromReconciler =
  | { readonly kind: "progress"; readonly verified: number; readonly entries: number }
  | { readonly kind: "proof"; readonly proof: Reconciliation };

const answer = (message: FromReconciler) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToReconciler>) => {
  const startedMs = performance.now();
  const proof = prove(data);
  // Its connection is closed by now: whoever hears of it may end this thread.
  answer({ kind: "proof", proof: { ...proof, tookMs: Math.round(performance.now() - startedMs) } });
};

function prove({ path, nowMs, isWhole, stop }: ToReconciler) {
  const stopped = new Int32Array(stop);
  using sqlite = openSqlite(path, { safeIntegers: true });
  // Calls come first: what this writes can wait for another time.
  sqlite.run("PRAGMA busy_timeout = 0");
  sqlite.run("PRAGMA wal_autocheckpoint = 0");
  return reconcile(sqlite, {
    nowMs,
    isWhole,
    // Before the first snapshot: a gateway that goes on writing keeps a head of what is on disk already.
    kept: findKeptHead(dirname(path)),
    progress(verified, entries) {
      answer({ kind: "progress", verified, entries });
      return Atomics.load(stopped, 0) === 0;
    },
  });
}
