import { isNearLimit } from "@/lib/contract/calls/near-limit";
import {
  type RateLimitField,
  type RateLimitValues,
  rateLimitFields,
} from "@/lib/contract/calls/rate-limit-table";
import type { LimitDay, LimitUsageStore, ProjectModelPair } from "./limit-usage";
import { formatPairId, type LimitUsageContext, type LimitUsageFilter } from "./list-limit-usage";
import { readUsageInBatches } from "./read-usage-in-batches";

interface NearLimitContext extends Omit<LimitUsageContext, "limitUsage"> {
  readonly limitUsage: Pick<LimitUsageStore, "readDay">;
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

/** Thousands of pairs are in use, of which few are near a limit: only those cost more than a comparison. */
async function addPresentUse(
  context: NearLimitContext,
  projectIds: LimitUsageFilter["projectIds"],
  nearByPair: Map<string, NearOfPair>,
): Promise<void> {
  const touched = context.windows.touched();
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

/** Undefined for a deleted model. */
function findLimits(
  { catalogue, rateLimitMirror }: NearLimitContext,
  { projectId, model: name }: ProjectModelPair,
): RateLimitValues | undefined {
  const model = catalogue.find(name);
  return model && rateLimitMirror.effectiveLimits(projectId, model);
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
