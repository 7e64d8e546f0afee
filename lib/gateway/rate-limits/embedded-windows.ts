import {
  MAX_WINDOW_MS,
  type RateLimitField,
  rateLimitHeaderFields,
} from "@/lib/contract/calls/rate-limit-table";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { Clock } from "../clock";
import type { LimitedPair } from "./admissions";
import {
  type Demand,
  describeUse,
  NOTHING_USED,
  ProjectModelWindows,
  type RateLimitStatus,
} from "./project-model-windows";

/** The project and model that limits apply to. */
export interface ProjectModelPair {
  readonly projectId: string;
  readonly model: string;
}

/** The present use of each limit. */
export interface PairUsage extends ProjectModelPair {
  readonly used: Readonly<Record<RateLimitField, number>>;
}

/** A past call that still counts in a window. */
interface PastUse extends Demand, ProjectModelPair {
  /** When it was made, by the wall clock. */
  readonly atMs: number;
}

/** The windows of a pair that nothing has counted in. */
const unused = new ProjectModelWindows();
const ORIGIN_MS = MAX_WINDOW_MS + MINUTE_MS;
/** The slots of every window, however wide, begin at its multiples. */
const WIDEST_SLOT_MS = 512_000;

/** The windows of each project and model, in the memory of this process. */
export class EmbeddedWindows {
  readonly #windows = new Map<string, Map<string, ProjectModelWindows>>();
  readonly #originMs: number;
  /** How far the wall clock is ahead of the windows' clock: a multiple of every slot's width. */
  readonly #aheadMs: number;

  /**
   * Slots begin at the same moments of the wall clock in each process. So a restart moves no call into a later slot,
   * and what a refusal said about the next try stays true.
   */
  constructor(private readonly clock: Clock) {
    const aheadMs = clock.nowMs() - clock.monotonicMs() - ORIGIN_MS;
    this.#aheadMs = Math.floor(aheadMs / WIDEST_SLOT_MS) * WIDEST_SLOT_MS;
    this.#originMs = ORIGIN_MS + aheadMs - this.#aheadMs;
  }

  /** The windows' clock: monotonic milliseconds, offset so that restored calls have positive times. */
  now(): number {
    return this.clock.monotonicMs() + this.#originMs;
  }

  /** The windows of a pair, to read them. */
  find(
    projectId: string,
    model: string,
  ): Pick<ProjectModelWindows, "findBreach" | "measure" | "used" | "msUntilEmpty"> {
    return this.#windows.get(projectId)?.get(model) ?? unused;
  }

  /** The windows of a pair, to count in them. */
  open(projectId: string, model: string): ProjectModelWindows {
    let models = this.#windows.get(projectId);
    if (!models) this.#windows.set(projectId, (models = new Map()));
    let windows = models.get(model);
    if (!windows) models.set(model, (windows = new ProjectModelWindows()));
    return windows;
  }

  readStatus({ projectId, model, limits }: LimitedPair): RateLimitStatus {
    const windows = this.find(projectId, model);
    const nowMs = this.now();
    const { requests, tokens } = rateLimitHeaderFields;
    const clock = { nowMs, originMs: this.#originMs };
    return {
      requests: describeUse(windows, requests, limits[requests], clock),
      tokens: describeUse(windows, tokens, limits[tokens], clock),
    };
  }

  /** The pairs for which a call was admitted since this process began, or for which earlier calls still count. */
  touched(): readonly ProjectModelPair[] {
    return [...this.#windows].flatMap(([projectId, models]) =>
      [...models.keys()].map((model) => ({ projectId, model })),
    );
  }

  readUsage(pairs: readonly ProjectModelPair[]): readonly PairUsage[] {
    const nowMs = this.now();
    return pairs.map(({ projectId, model }) => ({
      projectId,
      model,
      used: this.#windows.get(projectId)?.get(model)?.usedByLimit(nowMs) ?? NOTHING_USED,
    }));
  }

  /** Fills the windows at start with past calls, oldest first. */
  restore(calls: Iterable<PastUse>): void {
    const nowMs = this.now();
    for (const { projectId, model, atMs, ...used } of calls) {
      const ageMs = nowMs - (atMs - this.#aheadMs);
      if (ageMs >= ORIGIN_MS) continue;
      // If the wall clock was set back, a time in the future counts as now, so that it doesn't free capacity.
      this.open(projectId, model).takePast(used, Math.max(0, ageMs), nowMs);
    }
  }
}
