import { setTimeout } from "node:timers/promises";
import type { Admissions } from "../admission/admissions";
import type { LimitUse } from "../admission/rate-limit-headers";
import type { BatchRecord } from "../batches/batch-store";
import type { Catalogue } from "../models/catalogue";
import type { RateLimitMirror } from "../rate-limits/rate-limit-mirror";

export interface PaceContext {
  readonly admissions: Pick<Admissions, "inFlight" | "look">;
  readonly rateLimitMirror: Pick<RateLimitMirror, "limitsOf">;
  readonly catalogue: Pick<Catalogue, "find">;
}

/** The share of the limits on requests and tokens that batches may use; the rest stays free for live calls. */
const SHARE = 0.8;
const LOOK_AGAIN_MS = 250;
/** The interval between the starts of two lines while there are live calls. */
const GAP_MS = 10;
/** How long after a live call further ones are expected. */
const QUIET_MS = 1_000;

/**
 * Decides when the next line of any batch may start: once the limits have room, at once without live calls, and at intervals with
 * them.
 */
export class BatchPace {
  /** Lines in progress by project and model; admission may not have counted them yet. */
  readonly #underWay = new Map<string, number>();
  #linesUnderWay = 0;
  #lastLiveMs = Number.NEGATIVE_INFINITY;
  #nextAtMs = 0;

  constructor(private readonly context: PaceContext) {}

  /** Resolves when a line may start, or once `isOver`. The caller must call `lineEnds` afterwards in both cases. */
  async begin(batch: BatchRecord, isOver: () => boolean): Promise<void> {
    while (!(await this.#takeRoom(batch, isOver))) await setTimeout(LOOK_AGAIN_MS);
    const nowMs = performance.now();
    const isQuiet = nowMs - this.#lastLiveMs > QUIET_MS;
    if (isQuiet && this.context.admissions.inFlight <= this.#linesUnderWay) return;
    this.#nextAtMs = Math.max(this.#nextAtMs, nowMs) + GAP_MS;
    await setTimeout(this.#nextAtMs - nowMs);
  }

  /** Called for each live call: for a second after it, lines start at intervals. */
  noteLiveCall(): void {
    this.#lastLiveMs = performance.now();
  }

  lineEnds(batch: BatchRecord): void {
    this.#count(batch, -1);
  }

  /** A line that is alone in its window may use more than the share. */
  async #takeRoom(batch: BatchRecord, isOver: () => boolean): Promise<boolean> {
    const { admissions, rateLimitMirror, catalogue } = this.context;
    const { projectId, model: id } = batch;
    const model = catalogue.find(id);
    const limits = model && rateLimitMirror.limitsOf(projectId, model);
    const status = limits && (await admissions.look({ projectId, model: id, limits }));
    // No await from here on: each line is counted before the next one decides, even if both looked at the limits at the same time.
    const lines = (this.#underWay.get(pairOf(batch)) ?? 0) + 1;
    const fits = ({ used, max }: LimitUse, takes: number) =>
      (used === 0 && lines === 1) || used + takes <= max * SHARE;
    const tokensOfLine = Math.ceil(batch.countedTokens / batch.total) + (model?.usualOutputTokens ?? 0);
    const isFree = !status || (fits(status.requests, lines) && fits(status.tokens, lines * tokensOfLine));
    if (!isFree && !isOver()) return false;
    this.#count(batch, 1);
    return true;
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
