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

/** The part of a limit of requests or tokens that batches use; the rest stays free for live calls. */
const SHARE = 0.8;
const LOOK_AGAIN_MS = 250;
/** Between the beginnings of two lines while there are live calls. */
const GAP_MS = 10;
/** So long after a live call others may be about to come. */
const QUIET_MS = 1_000;

/** When the next line of any batch may begin: within a part of the limits, at once where nobody else calls, and behind live calls otherwise. */
export class BatchPace {
  /** By project and model: what admission may not have counted yet. */
  readonly #underWay = new Map<string, number>();
  #linesUnderWay = 0;
  #lastLiveMs = Number.NEGATIVE_INFINITY;
  #nextAtMs = 0;

  constructor(private readonly context: PaceContext) {}

  /** Resolves when a line has begun, or once `isOver`. Whoever waits calls `lineEnds` in any case. */
  async begin(batch: BatchRecord, isOver: () => boolean): Promise<void> {
    while (!(await this.#takeRoom(batch, isOver))) await setTimeout(LOOK_AGAIN_MS);
    const nowMs = performance.now();
    const isQuiet = nowMs - this.#lastLiveMs > QUIET_MS;
    if (isQuiet && this.context.admissions.inFlight <= this.#linesUnderWay) return;
    this.#nextAtMs = Math.max(this.#nextAtMs, nowMs) + GAP_MS;
    await setTimeout(this.#nextAtMs - nowMs);
  }

  /** To be told of each call that is no line: for a second after it, lines begin apart. */
  noteLiveCall(): void {
    this.#lastLiveMs = performance.now();
  }

  lineEnds(batch: BatchRecord): void {
    this.#count(batch, -1);
  }

  /** A line that is alone may be as large as the limits let through. */
  async #takeRoom(batch: BatchRecord, isOver: () => boolean): Promise<boolean> {
    const { admissions, rateLimitMirror, catalogue } = this.context;
    const { projectId, model: id } = batch;
    const model = catalogue.find(id);
    const limits = model && rateLimitMirror.limitsOf(projectId, model);
    const status = limits && (await admissions.look({ projectId, model: id, limits }));
    // From here on nothing is waited for: of the lines that looked at once the first is counted before the next decides.
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
