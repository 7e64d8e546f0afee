import { limitFields } from "@/components/rate-limits/limit-fields";
import { computeCappedShare } from "@/components/rate-limits/limit-usage";
import type { Snippet } from "@/components/ui/text/snippet-tabs";
import { formatCount } from "@/components/ui/values/group-digits";
import { formatPercent } from "@/components/ui/values/percent";
import { callLiteral, curlSnippet, sdkSnippet } from "@/lib/console/snippets/api-snippets";
import type { ModelFamily } from "@/lib/contract/calls/model-families";
import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { RateLimit } from "@/lib/contract/operations/models/rate-limits";
import type { LimitUsageEntry } from "@/lib/contract/operations/usage/limit-usage";

/** A rate limit with the properties of its model; null if models can't be read. */
export interface LimitRow {
  readonly limit: RateLimit;
  readonly family: ModelFamily | null;
  readonly defaults: RateLimitValues | null;
  /** True for the offline sandbox models, which aren't real models. */
  readonly sandbox: boolean;
}

export function joinModels(
  limits: readonly RateLimit[],
  models: readonly OrganizationModel[] | undefined,
): LimitRow[] {
  const byId = new Map(models?.map((model) => [model.id, model]));
  return limits.map((limit) => {
    const model = byId.get(limit.model);
    return {
      limit,
      family: model?.family ?? null,
      defaults: model?.default_rate_limits ?? null,
      sandbox: model?.sandbox ?? false,
    };
  });
}

/** Finds a row by the id in the address: the rate limit's id or the model's. */
export function findRow(rows: readonly LimitRow[], id: string): LimitRow | undefined {
  return rows.find(({ limit }) => limit.id === id) ?? rows.find(({ limit }) => limit.model === id);
}

type Typed = Readonly<Record<string, number | null | undefined>>;

/** Returns the API call that saves the given limits. Leaves out values that aren't numbers yet. */
export function limitSnippets(target: {
  baseUrl: string;
  projectId: string;
  rateLimitId: string;
  values: Typed;
}): Snippet[] {
  const { baseUrl, projectId, rateLimitId, values } = target;
  const body = Object.fromEntries(
    limitFields
      .map(({ name }) => [name, values[name]] as const)
      .filter(([, value]) => typeof value === "number" || value === null),
  );
  const path = `/organization/projects/${encodeURIComponent(projectId)}/rate_limits/${encodeURIComponent(rateLimitId)}`;
  const update = "await client.admin.organization.projects.rateLimits.updateRateLimit";
  const call = callLiteral(update, rateLimitId, { project_id: projectId, ...body });
  return [
    { id: "curl", label: "curl", code: curlSnippet({ url: `${baseUrl}${path}`, body }) },
    { id: "openai", label: "openai", code: sdkSnippet({ baseUrl, call }) },
  ];
}

/** Describes a limit's usage, peaks and refusals in a sentence each. */
export function describeUsage(usage: LimitUsageEntry): string[] {
  const { max, used, peak_1_day: day, peak_7_days: week, refused_1_day, refused_7_days } = usage;
  const withShare = (value: number) => {
    const share = computeCappedShare(max, value);
    return share === null ? formatCount(value) : `${formatCount(value)} (${formatPercent(share)})`;
  };
  return [
    max === null ? `${formatCount(used)} used now` : `${formatCount(used)} of ${formatCount(max)} used now`,
    `Peak in 24 hours ${withShare(day)}, in 7 days ${withShare(week)}`,
    refused_7_days === 0
      ? "No call refused in 7 days"
      : `Refused ${formatCount(refused_1_day)} in 24 hours, ${formatCount(refused_7_days)} in 7 days`,
  ];
}
