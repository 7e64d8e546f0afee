import { limitLabels } from "@/components/rate-limits/limit-fields";
import { computeCappedShare } from "@/components/rate-limits/limit-usage";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import { formatPercent } from "@/components/ui/values/percent";
import { paths } from "@/lib/console/paths";
import type { LoggedRequest } from "@/lib/contract/operations/calls/requests";
import type { OrphanedApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import type { Health } from "@/lib/contract/operations/usage/health";
import type { NearLimit } from "@/lib/contract/operations/usage/limit-usage";

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
  /** The limit as it is now; null if it was removed. */
  readonly max?: number | null;
}

/**
 * The concerns of the last 24 hours, the most severe first. Limits come in this order already. `findName` gives a
 * project's name by its id.
 */
export function findConcerns(
  limits: readonly NearLimit[],
  health: Pick<Health, "models" | "providers"> | undefined,
  findName: (projectId: string) => string,
): Concern[] {
  const isRefusing = ({ refused_1_day: refused }: NearLimit) => refused > 0;
  return [
    ...findOpenCircuits(health),
    ...limits.filter(isRefusing).map((limit) => describeRefusing(limit, findName)),
    ...findFailing(health),
    ...limits.filter((limit) => !isRefusing(limit)).map((limit) => describeNear(limit, findName)),
  ];
}

function describeRefusing(limit: NearLimit, findName: (id: string) => string): Concern {
  const { id, project_id, model, field, max, refused_1_day: refused } = limit;
  return {
    id,
    tone: "bad",
    title: `${limitLabels[field]} refused ${formatCount(refused)} ${refused === 1 ? "call" : "calls"}`,
    detail: `${model} in ${findName(project_id)} · ${max === null ? "no limit" : `limit ${formatCount(max)}`} now`,
    links: [
      {
        label: "View calls",
        href: paths.requests({ project_id, model, refused_by: field, range: "24h" }),
      },
      linkToLimit(limit),
    ],
    refused: { project_id, model, refused_by: field },
    max,
  };
}

function describeNear(limit: NearLimit, findName: (id: string) => string): Concern {
  const { id, project_id, model, field, max, peak_1_day: peak } = limit;
  const share = computeCappedShare(max, peak) ?? 0;
  return {
    id,
    tone: "near",
    title: `${limitLabels[field]} reached ${formatPercent(share)}`,
    detail: `${model} in ${findName(project_id)} · peak ${formatCount(peak)} of ${formatCount(max ?? 0)}`,
    links: [linkToLimit(limit)],
    share,
  };
}

const linkToLimit = ({ project_id, model }: NearLimit) => ({
  label: "Open limit",
  href: paths.rateLimit(project_id, model),
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

/** One concern for all keys whose makers have left; empty without such keys. */
export function describeOrphaned(
  keys:
    | { readonly data: readonly Pick<OrphanedApiKey, "created_by">[]; readonly has_more: boolean }
    | undefined,
): Concern[] {
  if (!keys || keys.data.length === 0) return [];
  const makers = [...new Set(keys.data.map(({ created_by }) => created_by?.name ?? "somebody"))];
  const [first = "", ...others] = makers;
  return [
    {
      id: "orphaned keys",
      tone: "near",
      title: `${countNouns(keys.data.length, "key")}${keys.has_more ? " and more" : ""} wait for a decision`,
      detail: `Made by ${first}${others.length > 0 ? ` and ${countNouns(others.length, "other")}` : ""}, who left`,
      links: [{ label: "Keep or revoke", href: paths.directory() }],
    },
  ];
}
