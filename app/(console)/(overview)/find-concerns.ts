import { limitLabels } from "@/app/rate-limit-fields/limit-fields";
import { computeCappedShare, NEAR } from "@/app/rate-limit-fields/limit-usage";
import { formatCount } from "@/components/ui/group-digits";
import { formatPercent } from "@/components/ui/percent";
import { paths } from "@/lib/console/paths";
import { rateLimitId } from "@/lib/contract/ids";
import type { Health } from "@/lib/contract/operations/health";
import type { LimitUsage, LimitUsageEntry } from "@/lib/contract/operations/limit-usage";
import type { LoggedRequest } from "@/lib/contract/operations/requests";

/** Something that somebody should look at, with the pages that show and correct it. */
export interface Concern {
  readonly id: string;
  readonly tone: "bad" | "near";
  readonly title: string;
  readonly detail: string;
  readonly links: readonly { readonly label: string; readonly href: string }[];
  /** The share of a limit that was used at the peak, from 0 to 1. */
  readonly share?: number;
  /** The calls that it refused, so that the latest of them can be named. */
  readonly refused?: Pick<LoggedRequest, "project_id" | "model" | "refused_by">;
}

/** From this share of failed calls on, and this many calls, a model is a concern. */
const FAILING_SHARE = 0.05;
const FEWEST_CALLS = 20;

/** The concerns of the last 24 hours, the most severe first. `findName` gives a project's name by its id. */
export function findConcerns(
  usages: readonly LimitUsage[],
  health: Pick<Health, "models" | "providers"> | undefined,
  findName: (projectId: string) => string,
): Concern[] {
  const limits = usages.flatMap((usage) => usage.limits.map((limit) => ({ usage, limit })));
  const refusing = limits
    .filter(({ limit }) => limit.refused_1_day > 0)
    .toSorted((one, other) => other.limit.refused_1_day - one.limit.refused_1_day);
  const near = limits
    .filter(({ limit }) => limit.refused_1_day === 0 && peakShare(limit) >= NEAR)
    .toSorted((one, other) => peakShare(other.limit) - peakShare(one.limit));
  return [
    ...findOpenCircuits(health),
    ...refusing.map(({ usage, limit }) => describeRefusing(usage, limit, findName)),
    ...findFailing(health),
    ...near.map(({ usage, limit }) => describeNear(usage, limit, findName)),
  ];
}

/** 0 for a limit that lets nothing through on purpose. */
function peakShare({ max, peak_1_day: peak }: LimitUsageEntry): number {
  return max === 0 ? 0 : (computeCappedShare(max, peak) ?? 0);
}

function describeRefusing(
  usage: LimitUsage,
  limit: LimitUsageEntry,
  findName: (id: string) => string,
): Concern {
  const { field, max, refused_1_day: refused } = limit;
  const { project_id, model } = usage;
  return {
    id: `${usage.id} ${field}`,
    tone: "bad",
    title: `${limitLabels[field]} refused ${formatCount(refused)} ${refused === 1 ? "call" : "calls"}`,
    detail: [`${model} in ${findName(project_id)}`, max !== null && `limit ${formatCount(max)}`]
      .filter((part) => part !== false)
      .join(" · "),
    links: [
      {
        label: "View calls",
        href: paths.requests({ project_id, model, refused_by: field, range: "24h" }),
      },
      linkToLimit(usage),
    ],
    refused: { project_id, model, refused_by: field },
  };
}

function describeNear(usage: LimitUsage, limit: LimitUsageEntry, findName: (id: string) => string): Concern {
  const { field, max, peak_1_day: peak } = limit;
  return {
    id: `${usage.id} ${field}`,
    tone: "near",
    title: `${limitLabels[field]} reached ${formatPercent(peakShare(limit))}`,
    detail: `${usage.model} in ${findName(usage.project_id)} · peak ${formatCount(peak)} of ${formatCount(max ?? 0)}`,
    links: [linkToLimit(usage)],
    share: peakShare(limit),
  };
}

const linkToLimit = ({ project_id, model }: LimitUsage) => ({
  label: "Open limit",
  href: paths.rateLimit(rateLimitId(model), { project: project_id }),
});

function findOpenCircuits(health: Pick<Health, "providers"> | undefined): Concern[] {
  return (health?.providers ?? []).flatMap(({ id, open_circuits }) =>
    open_circuits.map(({ model, cause }) => ({
      id: `${id} ${model} circuit`,
      tone: "bad" as const,
      title: `Calls to ${model} at ${id} are stopped`,
      detail: cause,
      links: [{ label: "Open health", href: paths.health() }],
    })),
  );
}

function findFailing(health: Pick<Health, "models"> | undefined): Concern[] {
  return (health?.models ?? [])
    .filter(({ calls, errors }) => calls >= FEWEST_CALLS && errors / calls >= FAILING_SHARE)
    .toSorted((one, other) => other.errors / other.calls - one.errors / one.calls)
    .map(({ id, calls, errors, providers }) => ({
      id: `${id} failing`,
      tone: "near" as const,
      title: `${id} failed ${formatPercent(errors / calls, 1)} of its calls`,
      detail: `${formatCount(errors)} of ${formatCount(calls)} calls · ${providers.join(", ")}`,
      links: [
        {
          label: "View calls",
          href: paths.requests({ model: id, outcome: "provider_failed", range: "24h" }),
        },
        { label: "Open health", href: paths.health() },
      ],
    }));
}
