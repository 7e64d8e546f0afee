import type { ClockAndRandom } from "../clock";
import { buildDatabasePath } from "../database/data-folder/open-store-file";
import type { Reconciler, Reconciliation, ReconciliationProgress } from "../ledger/reconciliation";
import { storeUnavailable } from "../refusal";
import { ProofCache } from "./proof-cache";
import type { FromReconciler, ToReconciler } from "./reconcile-thread";

/** How long a request waits for a proof before it gets the progress: less than a screen may take to open (200 ms). */
const WAIT_MS = 120;

interface PendingRun {
  progress: ReconciliationProgress;
  readonly isWhole: boolean;
  readonly end: Promise<Reconciliation>;
  /** Cancels it at its next step. */
  giveUp(): void;
}

interface ReconcilerOptions {
  readonly dataFolder: string;
  readonly runtime: ClockAndRandom;
  readonly logFault: (where: string, error: unknown) => void;
}

/** Proves the books on a thread that exists only during a proof, one proof at a time. */
export function openReconciler({
  dataFolder,
  runtime,
  logFault,
}: ReconcilerOptions): Reconciler & { close(): Promise<void> } {
  let pendingRun: PendingRun | null = null;
  const cache = new ProofCache();

  const startRun = (isWhole: boolean): PendingRun => {
    const thread = new Worker(new URL("./reconcile-thread.ts", import.meta.url));
    const nowMs = runtime.clock.nowMs();
    const stop = new SharedArrayBuffer(4);
    const { promise, resolve, reject } = Promise.withResolvers<Reconciliation>();
    const newRun: PendingRun = {
      progress: { startedAtMs: nowMs, entries: 0, verified: 0 },
      isWhole,
      end: promise,
      giveUp: () => void Atomics.store(new Int32Array(stop), 0, 1),
    };
    const end = () => {
      thread.terminate();
      pendingRun = null;
    };
    // Every waiting request gets the error; without one, the log does.
    promise.catch(() => {});
    thread.onmessage = ({ data }: MessageEvent<FromReconciler>) => {
      if (data.kind === "progress") {
        newRun.progress = { startedAtMs: nowMs, entries: data.entries, verified: data.verified };
        return;
      }
      cache.put(data.proof, { isWhole, endedMs: runtime.clock.monotonicMs() });
      end();
      resolve(data.proof);
    };
    thread.onerror = ({ message }) => {
      logFault("proof of the books", message);
      end();
      reject(storeUnavailable());
    };
    thread.postMessage({ path: buildDatabasePath(dataFolder), nowMs, isWhole, stop } satisfies ToReconciler);
    return newRun;
  };

  return {
    async prove(isWhole) {
      const last = cache.read({ isWhole, nowMs: runtime.clock.monotonicMs() });
      if (last) return last;
      // A whole proof waits until a shorter one has ended, whose progress the screen shows.
      if (pendingRun && isWhole && !pendingRun.isWhole) return pendingRun.progress;
      pendingRun ??= startRun(isWhole);
      const { end } = pendingRun;
      const under = pendingRun;
      const waited = Promise.withResolvers<null>();
      const timer = setTimeout(() => waited.resolve(null), WAIT_MS);
      try {
        const proof = await Promise.race([end, waited.promise]);
        if (proof) cache.markRead();
        return proof ?? under.progress;
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      pendingRun?.giveUp();
      await pendingRun?.end.catch(() => {});
    },
  };
}
