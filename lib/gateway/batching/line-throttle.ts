import type { BatchWait } from "@/lib/contract/operations/batches";
import { type RateLimitField, rateLimitHeaderFields } from "@/lib/contract/rate-limit-table";
import type { Admissions } from "../admission/admissions";
import type { HeaderLimitStatus } from "../admission/rate-limit-headers";
import type { BatchRecord } from "../batches/batch-store";
import type { Effects, Timers } from "../effects";
import type { Catalogue } from "../models/catalogue";
import type { RateLimitMirror } from "../rate-limits/rate-limit-mirror";

export interface ThrottleContext {
  readonly effects: Effects;
  readonly timers: Timers;
  readonly admissions: Pick<Admissions, "inFlight" | "statusOf">;
  readonly rateLimitMirror: Pick<RateLimitMirror, "limitsOf">;
  readonly catalogue: Pick<Catalogue, "find">;
}

/** The share of the limits on requests and tokens that batches may use; the rest stays free for live calls. */
const SHARE = 0.8;
const RETRY_MS = 250;
/** The interval between the starts of two lines while there are live calls. */
const GAP_MS = 10;
/** For this long after a live call, further ones are expected. */
const QUIET_MS = 1_000;

/**
 * Decides when the next line of any batch may start: once the limits have room, at once without live calls, and at intervals with
 * them.
 */
export class LineThrottle {
  /** Lines in progress by project and model; admission may not have counted them yet. */
  readonly #underWay = new Map<string, number>();
  #linesUnderWay = 0;
  #lastLiveMs = Number.NEGATIVE_INFINITY;
  #nextAtMs = 0;

  constructor(private readonly context: ThrottleContext) {}

  /**
   * Resolves when a line may start, or once `isOver`. Calls `waits` with the reason for each delay. The caller must call
   * `lineEnds` afterwards in both cases.
   */
  async begin(batch: BatchRecord, isOver: () => boolean, waits: (reason: BatchWait) => void): Promise<void> {
    for (;;) {
      const reason = await this.#takeRoom(batch, isOver);
      if (reason === null) break;
      waits(reason);
      await this.context.timers.wait(RETRY_MS);
    }
    const nowMs = this.#nowMs();
    const isQuiet = nowMs - this.#lastLiveMs > QUIET_MS;
    if (isQuiet && this.context.admissions.inFlight <= this.#linesUnderWay) return;
    waits("live_calls");
    this.#nextAtMs = Math.max(this.#nextAtMs, nowMs) + GAP_MS;
    await this.context.timers.wait(this.#nextAtMs - nowMs);
  }

  /** Call it for each live call. For a second afterwards, lines start at intervals. */
  noteLiveCall(): void {
    this.#lastLiveMs = this.#nowMs();
  }

  lineEnds(batch: BatchRecord): void {
    this.#count(batch, -1);
  }

  /**
   * Reserves room for a line. The only line in a window may exceed the share.
   * @returns null on success, otherwise the limit without room.
   */
  async #takeRoom(batch: BatchRecord, isOver: () => boolean): Promise<RateLimitField | null> {
    const { admissions, rateLimitMirror, catalogue } = this.context;
    const { projectId, model: id } = batch;
    const model = catalogue.find(id);
    const limits = model && rateLimitMirror.limitsOf(projectId, model);
    const status = limits && (await admissions.statusOf({ projectId, model: id, limits }));
    // No await from here on: each line must be counted before the next one decides, even if both read the limits at the
    // same time.
    const lines = (this.#underWay.get(pairOf(batch)) ?? 0) + 1;
    const fits = ({ used, max }: HeaderLimitStatus, more: number) =>
      (used === 0 && lines === 1) || used + more <= max * SHARE;
    const tokensOfLine = Math.ceil(batch.countedTokens / batch.total) + (model?.typicalOutputTokens ?? 0);
    const takes = { requests: lines, tokens: lines * tokensOfLine };
    const full =
      status && (["requests", "tokens"] as const).find((limit) => !fits(status[limit], takes[limit]));
    if (full && !isOver()) return rateLimitHeaderFields[full];
    this.#count(batch, 1);
    return null;
  }

  #nowMs(): number {
    return this.context.effects.clock.monotonicMs();
  }

  #count(batch: BatchRecord, by: number): void {
    const pair = pairOf(batch);
    this.#linesUnderWay += by;
    this.#underWay.set(pair, (this.#underWay.get(pair) ?? 0) + by);
  }
}

function pairOf({ projectId, model }: BatchRecord): string {
  return `${projectId} ${model}`;
}
