"use client";

import { type UseFormReturn, useWatch } from "react-hook-form";
import { computeCappedShare, isNear } from "@/components/rate-limits/limit-usage";
import { classNames } from "@/components/ui/class-names";
import { TextLink } from "@/components/ui/links/text-link";
import { capitalize } from "@/components/ui/text/capitalize";
import { paths } from "@/lib/console/paths";
import { NEAR_SHARE } from "@/lib/contract/calls/near-limit";
import type { RateLimitField, RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import type { LimitUsageEntry } from "@/lib/contract/operations/usage/limit-usage";
import { describeUsage } from "./describe-usage";
import { describeEffect, effectTone } from "./grid/describe-replay";
import { useEffectOfLimit } from "./grid/use-replay";
import { useIsUsageUnread, useLimitUsageEntry } from "./limit-usage-scope";

type LimitUsageInFormProps = { projectId: string; model: string; field: RateLimitField };

/** Shown below a limit's field: its current usage, its peaks and the calls it refused. */
export function LimitUsageInForm({ projectId, model, field }: LimitUsageInFormProps) {
  const usage = useLimitUsageEntry(model, field);
  const isUnread = useIsUsageUnread();
  if (!usage)
    return (
      <p className="text-sm text-muted">
        {isUnread ? "How much of it is used can’t be read." : "Not used in the last 7 days."}
      </p>
    );
  const [now, peaks, refusals] = describeUsage(usage);
  return (
    <div className="grid gap-1 text-sm text-muted">
      <LimitMeter usage={usage} />
      <p className="flex flex-wrap gap-x-3">
        <span className="text-foreground">{now}</span>
        <span>{peaks}</span>
      </p>
      <p className="flex flex-wrap gap-x-3">
        <span className={usage.refused_1_day > 0 ? "text-danger" : undefined}>{refusals}</span>
        {usage.refused_7_days > 0 && (
          <TextLink href={paths.requests({ project_id: projectId, model, refused_by: field, range: "7d" })}>
            View refused calls
          </TextLink>
        )}
      </p>
    </div>
  );
}

/** The share of a limit that is used, with a mark at the last day's peak. Decorative: the numbers are next to it. */
function LimitMeter({ usage }: { usage: LimitUsageEntry }) {
  const share = computeCappedShare(usage.max, usage.used);
  const peak = computeCappedShare(usage.max, usage.peak_1_day);
  if (share === null || peak === null) return null;
  return (
    <span aria-hidden className="relative block h-1 w-full overflow-hidden rounded-full bg-default">
      <span
        className={classNames(
          "absolute inset-y-0 left-0 rounded-full forced-color-adjust-none",
          share >= 1 ? "bg-danger" : share >= NEAR_SHARE ? "bg-warning" : "bg-accent",
        )}
        style={{ width: `${share * 100}%` }}
      />
      <span
        className={classNames(
          "absolute inset-y-0 w-0.5 forced-color-adjust-none",
          isNear(usage) ? "bg-warning" : "bg-muted",
        )}
        style={{ left: `calc(${peak * 100}% - 2px)` }}
      />
    </span>
  );
}

type LimitEffectInFormProps = LimitUsageInFormProps & {
  form: UseFormReturn<RateLimitValues>;
  saved: number | null;
};

/** What the typed limit would have done to the last days' calls, before it is saved. */
export function LimitEffectInForm({ projectId, model, field, form, saved }: LimitEffectInFormProps) {
  const typed: number | null | undefined = useWatch({ control: form.control, name: field });
  const isChanged = typed !== undefined && !Object.is(typed, saved) && isLimit(typed);
  const change = isChanged ? ({ project_id: projectId, model, [field]: typed } as const) : null;
  const effect = useEffectOfLimit(change);
  if (!effect) return null;
  return (
    <p role="status" aria-label="Effect of this limit" className={`text-sm ${effectTone(effect)}`}>
      {capitalize(describeEffect(effect))}.
    </p>
  );
}

const isLimit = (typed: number | null) => typed === null || (Number.isSafeInteger(typed) && typed >= 0);
