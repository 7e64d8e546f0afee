import { MAX_WINDOW_MS, rateLimitHeaderFields } from "@/lib/contract/calls/rate-limit-table";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { Clock } from "../effects";
import type { LimitWindows, PairUsage, ProjectModelPair } from "../rate-limits/limit-usage";
import type { LimitedPair } from "./admissions";
import { type Demand, NOTHING_USED, ProjectModelWindows } from "./project-model-windows";
import { describeUse, type RateLimitStatus } from "./rate-limit-headers";

/** A past call that still counts in a window. */
interface PastUse extends Demand {
  readonly projectId: string;
  readonly model: string;
  readonly ageMs: number;
}

/** The windows of a pair that nothing has counted in. */
const unused = new ProjectModelWindows();
const ORIGIN_MS = MAX_WINDOW_MS + MINUTE_MS;

/** The windows of each project and model, in the memory of this process. */
export class EmbeddedWindows implements LimitWindows {
  readonly #windows = new Map<string, Map<string, ProjectModelWindows>>();

  constructor(private readonly clock: Clock) {}

  /** The windows' clock: monotonic milliseconds, offset so that restored calls have positive times. */
  now(): number {
    return this.clock.monotonicMs() + ORIGIN_MS;
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
    const clock = { nowMs, originMs: ORIGIN_MS };
    return {
      requests: describeUse(windows, requests, limits[requests], clock),
      tokens: describeUse(windows, tokens, limits[tokens], clock),
    };
  }

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
    for (const { projectId, model, ageMs, ...used } of calls) {
      if (ageMs >= ORIGIN_MS) continue;
      // If the wall clock was set back, a time in the future counts as now, so that it doesn't free capacity.
      this.open(projectId, model).takePast(used, Math.max(0, ageMs), this.now());
    }
  }
}
