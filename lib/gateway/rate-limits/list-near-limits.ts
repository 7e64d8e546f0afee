import { isNearLimit } from "@/lib/contract/calls/near-limit";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import type { LimitDay, LimitUsageStore } from "./limit-usage";
import type { LimitUsageContext, LimitUsageFilter } from "./list-limit-usage";

interface NearLimitContext extends Omit<LimitUsageContext, "limitUsage"> {
  readonly limitUsage: Pick<LimitUsageStore, "readDay">;
}

/** A limit of a project and model that refused calls within the last day, or was nearly used up. */
export interface NearLimit extends LimitDay {
  /** Made of both ids and the field. */
  readonly id: string;
  readonly max: number | null;
}

/** Those that refused calls, the most calls first, then those that were nearly used up, the highest share first. */
export async function listNearLimits(
  context: NearLimitContext,
  projectIds: LimitUsageFilter["projectIds"],
  nowMs: number,
): Promise<NearLimit[]> {
  const { catalogue, rateLimitMirror } = context;
  const refusing: NearLimit[] = [];
  const near: NearLimit[] = [];
  for (const [id, day] of await readDays(context, projectIds, nowMs)) {
    const model = catalogue.find(day.model);
    // A deleted model.
    if (!model) continue;
    const max = rateLimitMirror.effectiveLimits(day.projectId, model)[day.field];
    const limit = { ...day, id, max };
    if (day.refusals > 0) refusing.push(limit);
    else if (isNearLimit(limit)) near.push(limit);
  }
  return [
    ...refusing.toSorted((one, other) => other.refusals - one.refusals),
    ...near.toSorted((one, other) => computePeakShare(other) - computePeakShare(one)),
  ];
}

/** The last day of each limit that was used within it, the present use included. */
async function readDays(
  { limitUsage, windows }: NearLimitContext,
  projectIds: LimitUsageFilter["projectIds"],
  nowMs: number,
): Promise<Map<string, LimitDay>> {
  const days = new Map<string, LimitDay>();
  for (const day of await limitUsage.readDay(projectIds, nowMs)) days.set(formatLimitId(day), day);
  const touched = windows.touched().filter(({ projectId }) => projectIds?.includes(projectId) ?? true);
  for (const { projectId, model, used } of await windows.readUsage(touched)) {
    for (const field of rateLimitFields) {
      const peak = Math.ceil(used[field]);
      if (peak === 0) continue;
      const id = formatLimitId({ projectId, model, field });
      const day = days.get(id) ?? { projectId, model, field, peak, refusals: 0 };
      days.set(id, { ...day, peak: Math.max(day.peak, peak) });
    }
  }
  return days;
}

function formatLimitId({ projectId, model, field }: Pick<LimitDay, "projectId" | "model" | "field">): string {
  return `${projectId}/${model}/${field}`;
}

/** From 0 to 1. */
function computePeakShare({ max, peak }: NearLimit): number {
  return max ? Math.min(1, peak / max) : 0;
}
