import { type RateLimitField, rateLimitHeaderFields } from "@/lib/contract/calls/rate-limit-table";
import type { BatchWait } from "@/lib/contract/operations/tasks/batches";
import type { ClockAndRandom, Timers } from "../../clock";
import type { Catalogue } from "../../models/catalogue";
import type { Admissions } from "../../rate-limits/admissions";
import type { HeaderLimitStatus } from "../../rate-limits/project-model-windows";
import type { RateLimitCache } from "../../rate-limits/rate-limits";
import type { BatchRecord } from "../batch-store.sql";

export interface ThrottleContext {
  readonly runtime: ClockAndRandom;
  readonly timers: Timers;
  readonly admissions: Pick<Admissions, "inFlight" | "readStatus">;
  readonly rateLimitCache: Pick<RateLimitCache, "effectiveLimits">;
  readonly catalogue: Pick<Catalogue, "find">;
}

/** The share of the limits on requests and tokens that batches may use; the rest stays free for live calls. */
const SHARE = 0.8;
const RETRY_MS = 250;
/** The interval between the starts of two lines while there are live calls. The longest one is 4 lines a second. */
const GAP_MS = { min: 25, max: 250 };
/** A line that starts this much later than it was due shows that the event loop has no time left. */
const LATE_MS = 4;
/** The factor by which the interval shrinks with each line that starts in time. */
const SHRINKS_TO = 0.95;
/** For this long after a live call, further ones are expected. */
const QUIET_MS = 1_000;

/** A line that may start. */
interface StartedLine {
  /** The limits count the line from now on. */
  noteAdmitted(): void;
  end(): void;
}

/**
 * Decides when the next line of any batch may start: once the limits allow it, at once without live calls, and at
 * intervals with them, which grow while the event loop is busy.
 */
export class LineThrottle {
  /** Lines that have begun and are not admitted yet, by project and model. Admission counts the others. */
  readonly #unadmitted = new Map<string, number>();
  /** Lines that have started and not ended. The other calls in progress are live. */
  #startedLines = 0;
  #lastLiveMs = Number.NEGATIVE_INFINITY;
  #nextAtMs = 0;
  #gapMs = GAP_MS.min;

  constructor(private readonly context: ThrottleContext) {}

  /**
   * Resolves when a line may start, or once `isOver`. Calls `waits` with the reason for each delay. The caller must
   * end the line afterwards in both cases.
   */
  async begin(
    batch: BatchRecord,
    isOver: () => boolean,
    waits: (reason: BatchWait) => void,
  ): Promise<StartedLine> {
    for (;;) {
      const reason = await this.#reserve(batch, isOver);
      if (reason === null) break;
      waits(reason);
      await this.context.timers.wait(RETRY_MS);
    }
    if (this.isBesideLiveCalls) await this.#waitBesideLiveCalls(waits);
    this.#startedLines++;
    let isAdmitted = false;
    const noteAdmitted = () => {
      if (!isAdmitted) this.#count(batch, -1);
      isAdmitted = true;
    };
    const end = () => {
      noteAdmitted();
      this.#startedLines--;
    };
    return { noteAdmitted, end };
  }

  async #waitBesideLiveCalls(waits: (reason: BatchWait) => void): Promise<void> {
    waits("live_calls");
    const nowMs = this.#nowMs();
    const dueMs = Math.max(this.#nextAtMs, nowMs) + this.#gapMs;
    this.#nextAtMs = dueMs;
    await this.context.timers.wait(dueMs - nowMs);
    const isLate = this.#nowMs() - dueMs > LATE_MS;
    this.#gapMs = isLate
      ? Math.min(2 * this.#gapMs, GAP_MS.max)
      : Math.max(SHRINKS_TO * this.#gapMs, GAP_MS.min);
  }

  /** Whether live calls are in progress, or are expected. */
  get isBesideLiveCalls(): boolean {
    const isQuiet = this.#nowMs() - this.#lastLiveMs > QUIET_MS;
    return !isQuiet || this.context.admissions.inFlight > this.#startedLines;
  }

  /** Call it for each live call. For a second afterwards, lines start at intervals. */
  noteLiveCall(): void {
    this.#lastLiveMs = this.#nowMs();
  }

  /**
   * Reserves capacity of the limits for a line. The only line in a window may exceed the share.
   * @returns null on success, otherwise the limit that is used up.
   */
  async #reserve(batch: BatchRecord, isOver: () => boolean): Promise<RateLimitField | null> {
    const { admissions, rateLimitCache, catalogue } = this.context;
    const { projectId, model: id } = batch;
    const model = catalogue.find(id);
    const limits = model && rateLimitCache.effectiveLimits(projectId, model);
    const status = limits && (await admissions.readStatus({ projectId, model: id, limits }));
    // No await from here on: each line must be counted before the next one decides, even if both read the limits at the
    // same time.
    const lines = (this.#unadmitted.get(formatPair(batch)) ?? 0) + 1;
    const fits = ({ used, max }: HeaderLimitStatus, more: number) =>
      (used === 0 && lines === 1) || used + more <= max * SHARE;
    const lineTokens = Math.ceil(batch.countedTokens / batch.total) + (model?.typicalOutputTokens ?? 0);
    const takes = { requests: lines, tokens: lines * lineTokens };
    const full =
      status && (["requests", "tokens"] as const).find((limit) => !fits(status[limit], takes[limit]));
    if (full && !isOver()) return rateLimitHeaderFields[full];
    this.#count(batch, 1);
    return null;
  }

  #nowMs(): number {
    return this.context.runtime.clock.monotonicMs();
  }

  #count(batch: BatchRecord, by: number): void {
    const pair = formatPair(batch);
    const lines = (this.#unadmitted.get(pair) ?? 0) + by;
    if (lines > 0) this.#unadmitted.set(pair, lines);
    else this.#unadmitted.delete(pair);
  }
}

function formatPair({ projectId, model }: BatchRecord): string {
  return `${projectId} ${model}`;
}

/** How often a line that waits looks whether its batch stops. */
export const LOOK_MS = 1_000;

/** Holds the lines of a batch back while its provider is at its limit, for as long as the provider asked. */
export class ProviderPause {
  #pauses = 0;

  /** @param closing ends all pauses. */
  constructor(
    private readonly timers: Pick<Timers, "wait">,
    private readonly closing: AbortSignal,
  ) {}

  begin(ms: number): void {
    this.#pauses++;
    void this.timers.wait(ms, this.closing).finally(() => this.#pauses--);
  }

  /** Resolves once no pause is left, or once `isOver`. Calls `note` as long as it waits. */
  async wait(isOver: () => boolean, note: () => void): Promise<void> {
    while (this.#pauses > 0 && !isOver()) {
      note();
      await this.timers.wait(LOOK_MS, this.closing);
    }
  }
}
