import { type RateLimitField, type RateLimitValues, rateLimitFields } from "@/lib/contract/rate-limit-table";
import {
  type LimitHistory,
  type LimitUsageStore,
  type LimitWindows,
  type PairUsage,
  type ProjectModelPair,
  shareOf,
} from "./limit-usage";
import type { LimitedModel, RateLimitMirror } from "./rate-limit-mirror";

export interface LimitUsageContext {
  readonly windows: LimitWindows;
  readonly limitUsage: Pick<LimitUsageStore, "historyOf">;
  readonly rateLimitMirror: Pick<RateLimitMirror, "limitsOf">;
  readonly catalogue: { find(id: string): LimitedModel | undefined };
}

/** One limit of a project and model: its present use and its history. */
export interface LimitUsageRecord extends Omit<LimitHistory, keyof ProjectModelPair> {
  readonly max: number | null;
  readonly used: number;
}

export interface ModelLimitsUsed extends ProjectModelPair {
  /** Made of both ids. */
  readonly id: string;
  readonly limits: readonly LimitUsageRecord[];
}

export interface LimitUsageFilter {
  /** Null: all projects. */
  readonly projectIds: readonly string[] | null;
  readonly model?: string | undefined;
  readonly near?: boolean | undefined;
}

const NEAR = 0.8;

/** Reads the history once. `look` then returns the present use, as often as needed. */
export async function readLimitUsage(context: LimitUsageContext, filter: LimitUsageFilter, nowMs: number) {
  const past = new Map<string, LimitHistory>();
  const pairs = new Map<string, ProjectModelPair>();
  const isAsked = ({ projectId, model }: ProjectModelPair) =>
    (filter.projectIds?.includes(projectId) ?? true) &&
    (filter.model === undefined || filter.model === model);
  for (const one of await context.limitUsage.historyOf(filter.projectIds, nowMs)) {
    if (!isAsked(one)) continue;
    past.set(`${idOf(one)} ${one.field}`, one);
    pairs.set(idOf(one), { projectId: one.projectId, model: one.model });
  }
  return {
    /** Sorted by project and model. */
    async read(): Promise<ModelLimitsUsed[]> {
      for (const pair of context.windows.touched()) if (isAsked(pair)) pairs.set(idOf(pair), pair);
      const uses = await context.windows.usageOf([...pairs.values()]);
      return uses
        .flatMap((pair) => describePair(context, pair, past) ?? [])
        .filter(({ limits }) => !filter.near || limits.some(isNear))
        .toSorted((one, other) => (one.id < other.id ? -1 : 1));
    },
  };
}

/** Null for a deleted model, and for one that was never used. */
function describePair(
  { catalogue, rateLimitMirror }: LimitUsageContext,
  pair: PairUsage,
  past: ReadonlyMap<string, LimitHistory>,
): ModelLimitsUsed | null {
  const { projectId, model: name, used } = pair;
  const model = catalogue.find(name);
  if (!model) return null;
  const id = idOf(pair);
  const values = rateLimitMirror.limitsOf(projectId, model);
  const limits = rateLimitFields
    .map((field) => describeLimit(field, values, used[field], past.get(`${id} ${field}`)))
    .filter((limit) => limit.peakOfWeek > 0 || limit.refusalsOfWeek > 0);
  return limits.length > 0 ? { id, projectId, model: name, limits } : null;
}

function describeLimit(
  field: RateLimitField,
  values: RateLimitValues,
  used: number,
  past: LimitHistory | undefined,
): LimitUsageRecord {
  const { peakOfDay = 0, peakOfWeek = 0, refusalsOfDay = 0, refusalsOfWeek = 0 } = past ?? {};
  const now = Math.ceil(used);
  return {
    field,
    max: values[field],
    used: now,
    peakOfDay: Math.max(now, peakOfDay),
    peakOfWeek: Math.max(now, peakOfWeek),
    refusalsOfDay,
    refusalsOfWeek,
  };
}

function isNear({ max, peakOfDay, refusalsOfDay }: LimitUsageRecord): boolean {
  return refusalsOfDay > 0 || (shareOf(max, peakOfDay) ?? 0) >= NEAR;
}

function idOf({ projectId, model }: ProjectModelPair): string {
  return `${projectId}/${model}`;
}
