import {
  isNearLimit,
  type RateLimitField,
  type RateLimitValues,
  rateLimitFields,
} from "@/lib/contract/calls/rate-limit-table";
import { HOUR_MS } from "@/lib/contract/durations";
import type { ProjectCache } from "../projects/projects";
import type { PairUsage, ProjectModelPair } from "./project-model-windows";
import type { LimitedModel, RateLimitCache } from "./rate-limits";

/** The highest observed use of one limit. */
export interface LimitPeak extends ProjectModelPair {
  readonly field: RateLimitField;
  readonly peak: number;
}

/** The stored history of one limit: its peaks and its refusals. */
export interface LimitHistory extends ProjectModelPair {
  readonly field: RateLimitField;
  readonly dayPeak: number;
  readonly weekPeak: number;
  readonly dayRefusals: number;
  readonly weekRefusals: number;
}

/** The use of one limit within the last 24 hours: its highest use, and how often it refused. */
export interface LimitDay extends LimitPeak {
  readonly refusals: number;
}

/** Stores peaks and sums refusals, on a separate thread, so that no call waits for it. */
export interface LimitUsageStore {
  /**
   * Stores peaks that exceed the stored ones of the hour and the day of `atMs`. Retries later if the store is busy.
   */
  savePeaks(atMs: number, peaks: readonly LimitPeak[]): void;
  /**
   * Peaks and refusals of the last 24 hours and 7 days in these projects, or in all for null. Unused limits are left
   * out.
   */
  readHistory(projectIds: readonly string[] | null, nowMs: number): Promise<LimitHistory[]>;
  /** Peaks and refusals of the last 24 hours alone. It takes half as long. */
  readDay(projectIds: readonly string[] | null, nowMs: number): Promise<LimitDay[]>;
}

/** The present use of limits, as admission counts it. */
export interface LimitWindows {
  /** The pairs whose limits are in use. */
  touched(): readonly ProjectModelPair[] | Promise<readonly ProjectModelPair[]>;
  readUsage(pairs: readonly ProjectModelPair[]): readonly PairUsage[] | Promise<readonly PairUsage[]>;
}

/** Samples the use of each limit and stores the peak of each hour. Calls are not involved. */
export class LimitSampler {
  #hour = -1;
  /** The peaks of this hour. */
  readonly #peaks = new Map<string, number>();
  #underWay: Promise<void> | null = null;

  constructor(
    private readonly windows: LimitWindows,
    private readonly store: Pick<LimitUsageStore, "savePeaks">,
  ) {}

  /** Samples every limit once. Concurrent callers share one sample. */
  sample(nowMs: number): Promise<void> {
    this.#underWay ??= this.#sample(nowMs).finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  async #sample(nowMs: number): Promise<void> {
    this.#beginHour(Math.floor(nowMs / HOUR_MS));
    for await (const uses of readUsageInBatches(this.windows, await this.windows.touched())) {
      const risenPeaks = uses.flatMap(({ projectId, model, used }) =>
        rateLimitFields
          .map((field): LimitPeak => ({ projectId, model, field, peak: used[field] }))
          .filter((peak) => this.#raisePeak(peak)),
      );
      if (risenPeaks.length > 0) this.store.savePeaks(nowMs, risenPeaks);
    }
  }

  #raisePeak({ projectId, model, field, peak }: LimitPeak): boolean {
    const key = `${projectId} ${field} ${model}`;
    if (peak <= (this.#peaks.get(key) ?? 0)) return false;
    this.#peaks.set(key, peak);
    return true;
  }

  #beginHour(hour: number): void {
    if (hour === this.#hour) return;
    this.#hour = hour;
    this.#peaks.clear();
  }
}

/** The pairs of project and model that are read before other requests are served: a tenth of a millisecond. */
const READ_TOGETHER = 200;

/** The present use of the limits of pairs, a few at a time, so that no call waits for all of them. */
async function* readUsageInBatches(
  windows: Pick<LimitWindows, "readUsage">,
  pairs: readonly ProjectModelPair[],
): AsyncGenerator<readonly PairUsage[]> {
  for (let from = 0; from < pairs.length; from += READ_TOGETHER) {
    if (from > 0) await new Promise(setImmediate);
    yield await windows.readUsage(pairs.slice(from, from + READ_TOGETHER));
  }
}

export interface LimitUsageContext {
  readonly windows: LimitWindows;
  readonly limitUsage: Pick<LimitUsageStore, "readHistory">;
  readonly rateLimitCache: Pick<RateLimitCache, "effectiveLimits">;
  readonly catalogue: { find(id: string): LimitedModel | undefined };
}

/** One limit of a project and model: its present use and its history. */
interface LimitUsageRecord extends Omit<LimitHistory, keyof ProjectModelPair> {
  readonly max: number | null;
  readonly used: number;
}

export interface ModelLimitsUsed extends ProjectModelPair {
  /** Made of both ids. */
  readonly id: string;
  readonly limits: readonly LimitUsageRecord[];
}

interface LimitUsageFilter {
  /** Null: all projects. */
  readonly projectIds: readonly string[] | null;
  readonly model?: string | undefined;
  readonly near?: boolean | undefined;
}

/** Reads the history once. `read` then returns the present use, as often as needed. */
export async function readLimitUsage(context: LimitUsageContext, filter: LimitUsageFilter, nowMs: number) {
  const histories = new Map<string, HistoryOfPair>();
  const isAsked = ({ projectId, model }: ProjectModelPair) =>
    (filter.projectIds?.includes(projectId) ?? true) &&
    (filter.model === undefined || filter.model === model);
  for (const history of await context.limitUsage.readHistory(filter.projectIds, nowMs)) {
    if (!isAsked(history)) continue;
    const { projectId, model, field } = history;
    const id = formatPairId(history);
    const ofPair = histories.get(id) ?? { pair: { projectId, model }, byField: {} };
    histories.set(id, ofPair);
    ofPair.byField[field] = history;
  }
  const asked = [...histories.values()].filter(({ pair, byField }) =>
    filter.near ? wasNear(context, pair, byField) : true,
  );
  const pairs = new Map(asked.map(({ pair }) => [formatPairId(pair), pair]));
  return {
    /** Sorted by project and model. */
    async read(): Promise<ModelLimitsUsed[]> {
      for (const pair of await context.windows.touched())
        if (isAsked(pair)) pairs.set(formatPairId(pair), pair);
      const described: ModelLimitsUsed[] = [];
      for await (const uses of readUsageInBatches(context.windows, [...pairs.values()])) {
        for (const pair of uses) {
          const limitsUsed = describePair(context, pair, histories.get(formatPairId(pair))?.byField ?? {});
          if (limitsUsed && (!filter.near || limitsUsed.limits.some(isNear))) described.push(limitsUsed);
        }
      }
      return described.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    },
  };
}

type HistoryByField = Partial<Record<RateLimitField, LimitHistory>>;

interface HistoryOfPair {
  readonly pair: ProjectModelPair;
  readonly byField: HistoryByField;
}

/** Whether a pair that has no present calls came near one of its limits before. */
function wasNear(
  { catalogue, rateLimitCache }: LimitUsageContext,
  { projectId, model: name }: ProjectModelPair,
  byField: HistoryByField,
): boolean {
  const model = catalogue.find(name);
  if (!model) return false;
  const values = rateLimitCache.effectiveLimits(projectId, model);
  return Object.values(byField).some((history) => isNear({ ...history, max: values[history.field] }));
}

/** Null for a deleted model, and for a model without any use. */
function describePair(
  { catalogue, rateLimitCache }: LimitUsageContext,
  pair: PairUsage,
  byField: HistoryByField,
): ModelLimitsUsed | null {
  const { projectId, model: name, used } = pair;
  const model = catalogue.find(name);
  if (!model) return null;
  const id = formatPairId(pair);
  const values = rateLimitCache.effectiveLimits(projectId, model);
  const limits = rateLimitFields
    .map((field) => describeLimit(field, values, used[field], byField[field]))
    .filter((limit) => limit.weekPeak > 0 || limit.weekRefusals > 0);
  return limits.length > 0 ? { id, projectId, model: name, limits } : null;
}

function describeLimit(
  field: RateLimitField,
  values: RateLimitValues,
  used: number,
  history: LimitHistory | undefined,
): LimitUsageRecord {
  const { dayPeak = 0, weekPeak = 0, dayRefusals = 0, weekRefusals = 0 } = history ?? {};
  const now = Math.ceil(used);
  return {
    field,
    max: values[field],
    used: now,
    dayPeak: Math.max(now, dayPeak),
    weekPeak: Math.max(now, weekPeak),
    dayRefusals,
    weekRefusals,
  };
}

function isNear({
  max,
  dayPeak,
  dayRefusals,
}: Pick<LimitUsageRecord, "max" | "dayPeak" | "dayRefusals">): boolean {
  return isNearLimit({ max, peak: dayPeak, refusals: dayRefusals });
}

function formatPairId({ projectId, model }: ProjectModelPair): string {
  return `${projectId}/${model}`;
}

interface NearLimitContext extends Omit<LimitUsageContext, "limitUsage"> {
  readonly limitUsage: Pick<LimitUsageStore, "readDay">;
  readonly projectCache: Pick<ProjectCache, "find">;
}

/** A limit of a project and model that refused calls within the last day, or was nearly used up. */
export interface NearLimit extends LimitDay {
  /** Made of both ids and the field. */
  readonly id: string;
  readonly max: number | null;
}

/** The near limits of one project and model, by field. */
type NearOfPair = Map<RateLimitField, NearLimit>;

/** Lists the limits that refused calls, the most calls first, then those nearly used up, the highest share first. */
export async function listNearLimits(
  context: NearLimitContext,
  projectIds: LimitUsageFilter["projectIds"],
  nowMs: number,
): Promise<NearLimit[]> {
  const nearByPair = await findNearInDay(context, projectIds, nowMs);
  await addPresentUse(context, projectIds, nearByPair);
  const all = [...nearByPair.values()].flatMap((ofPair) => [...ofPair.values()]);
  const [refusing, near] = [all.filter(hasRefused), all.filter((limit) => !hasRefused(limit))];
  return [
    ...refusing.toSorted((one, other) => other.refusals - one.refusals),
    ...near.toSorted((one, other) => computePeakShare(other) - computePeakShare(one)),
  ];
}

async function findNearInDay(
  context: NearLimitContext,
  projectIds: LimitUsageFilter["projectIds"],
  nowMs: number,
): Promise<Map<string, NearOfPair>> {
  const nearByPair = new Map<string, NearOfPair>();
  for (const day of await context.limitUsage.readDay(projectIds, nowMs)) {
    const max = findLimits(context, day)?.[day.field];
    if (max !== undefined && isNearLimit({ ...day, max })) put(nearByPair, day, max);
  }
  return nearByPair;
}

/** Thousands of pairs are in use, and few are near a limit: only these few cost more than a comparison. */
async function addPresentUse(
  context: NearLimitContext,
  projectIds: LimitUsageFilter["projectIds"],
  nearByPair: Map<string, NearOfPair>,
): Promise<void> {
  const touched = await context.windows.touched();
  const visible = projectIds === null ? touched : touched.filter(isIn(new Set(projectIds)));
  for await (const uses of readUsageInBatches(context.windows, visible)) {
    for (const { projectId, model, used } of uses) {
      const limits = findLimits(context, { projectId, model });
      if (!limits) continue;
      const ofPair = nearByPair.get(formatPairId({ projectId, model }));
      for (const field of rateLimitFields) {
        const day = ofPair?.get(field);
        const use = { peak: Math.ceil(used[field]), refusals: day?.refusals ?? 0 };
        if (use.peak > (day?.peak ?? 0) && isNearLimit({ ...use, max: limits[field] })) {
          put(nearByPair, { projectId, model, field, ...use }, limits[field]);
        }
      }
    }
  }
}

function put(nearByPair: Map<string, NearOfPair>, day: LimitDay, max: number | null): void {
  const pairId = formatPairId(day);
  const ofPair: NearOfPair = nearByPair.get(pairId) ?? new Map();
  nearByPair.set(pairId, ofPair);
  ofPair.set(day.field, { ...day, id: `${pairId}/${day.field}`, max });
}

/** Undefined for a deleted model and for an archived project, whose limits need nobody's attention. */
function findLimits(
  { catalogue, projectCache, rateLimitCache }: NearLimitContext,
  { projectId, model: name }: ProjectModelPair,
): RateLimitValues | undefined {
  if (projectCache.find(projectId)?.archivedAtMs !== null) return undefined;
  const model = catalogue.find(name);
  return model && rateLimitCache.effectiveLimits(projectId, model);
}

const isIn =
  (projectIds: ReadonlySet<string>) =>
  ({ projectId }: ProjectModelPair) =>
    projectIds.has(projectId);

const hasRefused = ({ refusals }: NearLimit) => refusals > 0;

/** Returns a share from 0 to 1. */
function computePeakShare({ max, peak }: NearLimit): number {
  return max ? Math.min(1, peak / max) : 0;
}
