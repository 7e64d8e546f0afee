import type { ClockAndRandom } from "../clock";
import { buildDatabasePath } from "../database/data-folder/open-store-file";
import { openExactPool } from "../database/postgres";
import type { Reconciler, Reconciliation, ReconciliationProgress } from "../ledger/reconciliation";
import { storeUnavailable } from "../refusal";
import { provePostgres } from "./prove-postgres.sql";
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

/** A proof that has begun. */
interface Proving {
  readonly end: Promise<Reconciliation>;
  /** Cancels it at its next step. */
  giveUp(): void;
}
type Prove = (nowMs: number, isWhole: boolean, note: (verified: number, entries: number) => void) => Proving;

/** Proves the books on a thread that exists only during a proof. */
export function openReconciler({ dataFolder, ...options }: ReconcilerOptions) {
  return proveInTurn(options, (nowMs, isWhole, note) => {
    const thread = new Worker(new URL("./reconcile-thread.ts", import.meta.url));
    const stop = new SharedArrayBuffer(4);
    const { promise, resolve, reject } = Promise.withResolvers<Reconciliation>();
    thread.onmessage = ({ data }: MessageEvent<FromReconciler>) =>
      data.kind === "progress" ? note(data.verified, data.entries) : resolve(data.proof);
    thread.onerror = ({ message }) => reject(message);
    thread.postMessage({ path: buildDatabasePath(dataFolder), nowMs, isWhole, stop } satisfies ToReconciler);
    return {
      end: promise.finally(() => thread.terminate()),
      giveUp: () => void Atomics.store(new Int32Array(stop), 0, 1),
    };
  });
}

/** Proves the books on PostgreSQL, in this process. */
export function openPostgresReconciler(url: string, options: Omit<ReconcilerOptions, "dataFolder">) {
  return proveInTurn(options, (nowMs, isWhole, note) => {
    const pool = openExactPool(url);
    const startedMs = performance.now();
    let isGivenUp = false;
    const progress = (verified: number, entries: number) => {
      note(verified, entries);
      return !isGivenUp;
    };
    const proof = provePostgres(pool, { nowMs, isWhole, progress });
    return {
      end: proof
        .then((found) => ({ ...found, tookMs: Math.round(performance.now() - startedMs) }))
        .finally(() => pool.end()),
      giveUp() {
        isGivenUp = true;
      },
    };
  });
}

/** Makes one proof at a time. */
function proveInTurn(
  { runtime, logFault }: Omit<ReconcilerOptions, "dataFolder">,
  prove: Prove,
): Reconciler & { close(): Promise<void> } {
  let pendingRun: PendingRun | null = null;
  const cache = new ProofCache();

  const startRun = (isWhole: boolean): PendingRun => {
    const nowMs = runtime.clock.nowMs();
    const proving = prove(nowMs, isWhole, (verified, entries) => {
      newRun.progress = { startedAtMs: nowMs, entries, verified };
    });
    const end = proving.end.then(
      (proof) => {
        cache.put(proof, { isWhole, endedMs: runtime.clock.monotonicMs() });
        pendingRun = null;
        return proof;
      },
      (error: unknown) => {
        logFault("proof of the books", error);
        pendingRun = null;
        throw storeUnavailable();
      },
    );
    // Every waiting request gets the error; without one, the log does.
    end.catch(() => {});
    const newRun: PendingRun = {
      progress: { startedAtMs: nowMs, entries: 0, verified: 0 },
      isWhole,
      end,
      giveUp: proving.giveUp,
    };
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

/** A proof this recent is returned again. */
const FRESH_MS = 2_000;
/**
 * A whole proof takes long, so that its reader may be away when it ends. It is kept this long until somebody has read
 * it.
 */
const UNREAD_MS = 600_000;

/** Keeps the last proof of the books. Times are in milliseconds of one monotonic clock. */
export class ProofCache {
  #last: { readonly proof: Reconciliation; readonly isWhole: boolean; readonly endedMs: number } | null =
    null;
  #isRead = true;

  put(proof: Reconciliation, { isWhole, endedMs }: { isWhole: boolean; endedMs: number }): void {
    this.#last = { proof, isWhole, endedMs };
    this.#isRead = false;
  }

  /** Notes that a request that waited for the proof has got it. */
  markRead(): void {
    this.#isRead = true;
  }

  /** Returns the proof that answers a request without a new one; null if there is none. */
  read({ isWhole, nowMs }: { isWhole: boolean; nowMs: number }): Reconciliation | null {
    const last = this.#last;
    if (!last || (isWhole && !last.isWhole)) return null;
    const keptMs = last.isWhole && !this.#isRead ? UNREAD_MS : FRESH_MS;
    if (nowMs - last.endedMs >= keptMs) return null;
    this.#isRead = true;
    return last.proof;
  }
}
