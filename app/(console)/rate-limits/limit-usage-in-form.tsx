"use client";

import { TextLink } from "@/components/ui/links/text-link";
import { paths } from "@/lib/console/paths";
import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import { describeUsage } from "./describe-usage";
import { LimitMeter } from "./limit-meter";
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
