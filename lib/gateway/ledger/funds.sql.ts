import { type Nano, toNano } from "@/lib/money/amount";
import type { StoreClaim } from "../database/store-guard";
import { storeUnavailable } from "../refusal";
import {
  type CallCheckpoint,
  type Funds,
  type HoldDraft,
  type HoldOutcome,
  type RefusedRequest,
  releaseRefused,
  type StoredFunds,
  type TaskDraft,
} from "./funds";
import {
  type FromWriter,
  type HoldResult,
  type LedgerOperation,
  type LedgerResult,
  type ToWriter,
  toHoldOutcome,
  usualPatience,
  type WriterPatience,
  WriterWatch,
} from "./writer/ledger-operation";
import { encodeOperations } from "./writer/ledger-wire";

/** Starts the writer thread on a migrated database, with a lease of its own. */
export async function openSqliteFunds(options: {
  readonly claim: StoreClaim;
  /** 32 bytes that seal replies for repeats. */
  readonly secret: Uint8Array;
  /** Receives the reason why the store rejects operations; once per reason until it accepts one again. */
  onFailure(reason: string): void;
  /** How long the writer is waited for; by default as calls wait. */
  readonly patience?: WriterPatience;
}): Promise<Funds> {
  const progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(new URL("./writer/ledger-worker.ts", import.meta.url));
  const reply = await new Promise<FromWriter>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromWriter>) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
    const { claim, secret } = options;
    worker.postMessage({ kind: "open", claim, secret, progress } satisfies ToWriter);
  });
  if (reply.kind !== "opened") throw new Error("The funds did not open");
  const { onFailure, patience } = options;
  return new SqliteFunds(worker, new BalanceCache(reply.stored), onFailure, {
    progress,
    ...(patience && { patience }),
  });
}

/** Operations of new calls and of people. They may be refused, unlike the end of a call. */
const newOperations: readonly LedgerOperation["kind"][] = [
  "hold",
  "payment",
  "payments",
  "correction",
  "approve payment",
];
/** After a batch of this size more requests are likely, so the next one waits a moment to share its commit. */
const BUSY_OPERATIONS = 8;
const BUSY_PAUSE_MS = 1;
const MAX_QUEUED = 10_000;
const PROBE_MS = 1_000;

/** What funds are told about the writer, and the time that they measure it with. */
interface WriterTiming {
  readonly patience: WriterPatience;
  /** Counts the steps of the writer. */
  readonly progress: Int32Array;
  nowMs(): number;
  /** @returns a function that stops the timer. */
  startTimer(run: () => void, ms: number): () => void;
}

const usualTiming: WriterTiming = {
  patience: usualPatience,
  progress: new Int32Array(1),
  nowMs: () => performance.now(),
  startTimer: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Funds in the embedded database. Sends operations to the writer thread, one batch at a time: operations that arrive
 * meanwhile form the next batch, and a single one is sent at once.
 */
export class SqliteFunds implements Funds {
  #queue: WaitingOperation[] = [];
  #written: WaitingOperation[] | null = null;
  #stopLooking = () => {};
  readonly #timing: WriterTiming;
  readonly #watch: WriterWatch;
  #isStalled = false;
  #isProbing = false;
  #isSending = false;
  #isPausing = false;
  #isHealthy = true;
  #reported: string | null = null;
  #isBroken = false;
  #closed: (() => void) | null = null;

  constructor(
    private readonly worker: Worker,
    private readonly balance: BalanceCache,
    private readonly onFailure: (reason: string) => void,
    timing: Partial<WriterTiming> = {},
  ) {
    this.#timing = { ...usualTiming, ...timing };
    const { progress, patience } = this.#timing;
    this.#watch = new WriterWatch(() => Atomics.load(progress, 0), patience);
    worker.onmessage = ({ data }: MessageEvent<FromWriter>) => this.#receive(data);
    worker.onerror = (event) => this.#breakDown(event.message);
  }

  get available(): Nano {
    return this.balance.available;
  }

  placeHold(hold: HoldDraft, task?: TaskDraft): Promise<HoldOutcome> {
    const operation = { kind: "hold", hold, ...(task && { task }) } as const;
    return this.#send(operation);
  }

  readonly settle: Funds["settle"] = (settlement) => this.#send({ kind: "settle", settlement });
  readonly release: Funds["release"] = (release) => this.#send({ kind: "release", release });
  readonly takeOver: Funds["takeOver"] = (owners, nowMs) => this.#send({ kind: "take over", owners, nowMs });

  readonly recordPayment: Funds["recordPayment"] = (payment, idempotency, audit, maker) =>
    this.#send({ kind: "payment", payment, idempotency, audit, maker });

  readonly importPayments: Funds["importPayments"] = (payments, idempotency, audit, maker) =>
    this.#send({ kind: "payments", payments, idempotency, audit, maker });

  readonly recordCorrection: Funds["recordCorrection"] = (correction, idempotency, audit, maker) =>
    this.#send({ kind: "correction", correction, idempotency, audit, maker });

  readonly approvePayment: Funds["approvePayment"] = (approval) =>
    this.#send({ kind: "approve payment", approval });

  checkpoint(holdId: string, checkpoint: CallCheckpoint): void {
    this.#sendInPassing({ kind: "checkpoint", holdId, checkpoint });
  }

  logRefusal(request: RefusedRequest): void {
    this.#sendInPassing({ kind: "refusal", refused: request });
  }

  isHealthy(): boolean {
    return this.#isHealthy;
  }

  async close(): Promise<void> {
    if (this.#isBroken) return;
    await new Promise<void>((resolve) => {
      this.#closed = resolve;
      this.#flush();
    });
    this.worker.terminate();
  }

  /** Each kind of operation has its own result. */
  #send<Result extends LedgerResult | HoldOutcome>(operation: LedgerOperation): Promise<Result> {
    if (this.#refuses(operation)) return Promise.reject(storeUnavailable());
    return new Promise<LedgerResult | HoldOutcome>((resolve, reject) => {
      this.#queue.push(new WaitingOperation(operation, this.balance, resolve, reject));
      this.#flush();
    }) as Promise<Result>;
  }

  #refuses(operation: LedgerOperation): boolean {
    const mustNotWait = this.#isStalled && isNew(operation);
    return mustNotWait || this.#isBroken || this.#closed !== null || this.#queue.length >= MAX_QUEUED;
  }

  #sendInPassing(operation: LedgerOperation): void {
    if (this.#queue.length < MAX_QUEUED / 2) this.#send(operation).catch(() => {});
  }

  #flush(): void {
    if (this.#isSending || this.#written || this.#isPausing) return;
    this.#isSending = true;
    // Not a microtask: all operations that arrived with this turn of the event loop share the commit.
    setImmediate(() => {
      this.#isSending = false;
      if (this.#queue.length === 0) {
        if (this.#closed) this.worker.postMessage({ kind: "close" } satisfies ToWriter);
        return;
      }
      this.#written = this.#queue;
      this.#queue = [];
      this.#watch.begin(this.#timing.nowMs());
      this.#lookLater();
      const operations = encodeOperations(this.#written.map(({ operation }) => operation));
      this.worker.postMessage({ kind: "batch", operations } satisfies ToWriter);
    });
  }

  #lookLater(): void {
    const look = () => (this.#watch.look(this.#timing.nowMs()) ? this.#giveUp() : this.#lookLater());
    this.#stopLooking = this.#timing.startTimer(look, this.#watch.pauseMs);
  }

  #receive(message: FromWriter): void {
    if (message.kind === "closed") return this.#closed?.();
    if (message.kind === "lost") this.#fail(message.reason);
    if (message.kind !== "lost" && message.stored) this.balance.update(message.stored);
    if (message.kind !== "batch") return;
    this.#stopLooking();
    // After a pause of the process, a message may arrive before the timer fires.
    if (!this.#isStalled && this.#watch.isTooLate(this.#timing.nowMs())) this.#giveUp();
    this.#isStalled = false;
    const writtenBatch = this.#written ?? [];
    this.#written = null;
    let failures = 0;
    for (const [index, waiting] of writtenBatch.entries()) {
      const result = message.results[index] ?? { failed: "The writer gave no answer" };
      const failure = typeof result === "object" && "failed" in result ? result.failed : null;
      if (failure === null) waiting.answer(result);
      else {
        failures++;
        this.#report(failure);
        waiting.refuse();
      }
    }
    // A store that has written any of them can be written.
    this.#isHealthy = failures < writtenBatch.length;
    if (this.#isHealthy) this.#reported = null;
    else this.#probeLater();
    if (writtenBatch.length < BUSY_OPERATIONS) return this.#flush();
    this.#isPausing = true;
    setTimeout(() => {
      this.#isPausing = false;
      this.#flush();
    }, BUSY_PAUSE_MS);
  }

  #fail(reason: string): void {
    this.#isHealthy = false;
    this.#report(reason);
    this.#probeLater();
  }

  /** Logs a reason once, although thousands of calls may fail because of it. */
  #report(reason: string): void {
    if (reason === this.#reported) return;
    this.#reported = reason;
    this.onFailure(reason);
  }

  /**
   * The store doesn't answer: refuses new calls and payments that wait for it. A hold that was already sent may still
   * be stored, and is then released. A payment that was sent keeps waiting, and so does the end of a call.
   */
  #giveUp(): void {
    this.#isStalled = true;
    this.#isHealthy = false;
    this.#report(`The store has not answered for ${this.#timing.patience.stalledMs} ms`);
    const isRefused = ({ operation }: WaitingOperation) => isNew(operation);
    for (const waiting of this.#queue.filter(isRefused)) waiting.refuse();
    this.#queue = this.#queue.filter((waiting) => !isRefused(waiting));
    for (const waiting of this.#written ?? []) {
      if (waiting.operation.kind !== "hold") continue;
      const { hold } = waiting.operation;
      waiting.giveUp((isPlaced) => void (isPlaced === true && this.#undo(hold)));
    }
  }

  #undo(hold: HoldDraft): void {
    if (this.#isBroken || this.#closed) return;
    this.release(releaseRefused(hold, this.#timing.patience.stalledMs)).catch(() =>
      setTimeout(() => this.#undo(hold), PROBE_MS).unref(),
    );
  }

  /** Probes the store, so that its recovery is noticed even without calls. */
  #probeLater(): void {
    if (this.#isProbing) return;
    this.#isProbing = true;
    setTimeout(() => {
      this.#isProbing = false;
      this.#sendInPassing({ kind: "probe" });
    }, PROBE_MS).unref();
  }

  /** The thread has ended: nothing can be written any more, and every call is refused. */
  #breakDown(reason: string): void {
    this.#stopLooking();
    this.#isHealthy = false;
    this.#isBroken = true;
    this.#closed?.();
    this.onFailure(reason);
    for (const waiting of [...(this.#written ?? []), ...this.#queue]) waiting.refuse();
    this.#written = null;
    this.#queue = [];
  }
}

function isNew({ kind }: LedgerOperation): boolean {
  return newOperations.includes(kind);
}

/** An operation that the store has not answered yet. The amount of a hold counts as asked for until then. */
export class WaitingOperation {
  #late: ((result: LedgerResult) => void) | null = null;

  constructor(
    readonly operation: LedgerOperation,
    private readonly balance: BalanceCache,
    private readonly resolve: (result: LedgerResult | HoldOutcome) => void,
    private readonly reject: (reason: unknown) => void,
  ) {
    if (operation.kind === "hold") balance.reserve(operation.hold.amount);
  }

  /** Call it once the store's figures were read. */
  answer(result: LedgerResult): void {
    if (this.#late) return this.#late(result);
    this.#unreserve();
    this.resolve(this.operation.kind === "hold" ? toHoldOutcome(result as HoldResult) : result);
  }

  refuse(): void {
    if (this.#late) return;
    this.#unreserve();
    this.reject(storeUnavailable());
  }

  /** Refuses it although it was sent. @param late receives what the store still answers. */
  giveUp(late: (result: LedgerResult) => void): void {
    this.refuse();
    this.#late = late;
  }

  #unreserve(): void {
    const { operation } = this;
    if (operation.kind === "hold") this.balance.unreserve(operation.hold.amount);
  }
}

/**
 * The available balance at the store's last reply, less what was reserved since. It is enough to refuse a call early;
 * holds are granted by the store alone.
 */
export class BalanceCache {
  /** Holds that the store has not answered yet. */
  #reserved = 0n;

  constructor(private stored: StoredFunds) {}

  get available(): Nano {
    return toNano(this.stored.posted - this.stored.held - this.#reserved);
  }

  update(stored: StoredFunds): void {
    this.stored = stored;
  }

  reserve(amount: Nano): void {
    this.#reserved += amount;
  }

  /** Call it once the store has answered, after `update`. */
  unreserve(amount: Nano): void {
    this.#reserved -= amount;
  }
}
