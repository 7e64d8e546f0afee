import { Card } from "@/components/ui/card";
import { DateTime } from "@/components/ui/time/date-time";
import type { ConfigurationPlan } from "@/lib/contract/operations/configuration/configuration";

/** The three sides that a plan compares. */
export function PlanSources({ name, plan }: { name: string; plan: ConfigurationPlan }) {
  const { id, created_at: at, last_applied: last } = plan;
  return (
    <Card flush>
      <dl className="grid text-sm sm:grid-cols-3 [&>div]:px-3.5 [&>div]:py-2 [&>div+div]:max-sm:border-t sm:[&>div+div]:border-l">
        <div>
          <dt className="text-xs text-muted">File</dt>
          <dd className="font-mono wrap-anywhere">{name}</dd>
        </div>
        <div>
          <dt className="text-xs text-muted">Plan</dt>
          <dd className="font-mono text-xs wrap-anywhere">{id}</dd>
          <dd className="text-xs text-muted">
            <DateTime at={at} />
          </dd>
        </div>
        <div>
          <dt className="text-xs text-muted">Last applied</dt>
          <dd>{last ? last.name : "Never: all that differs counts as changed in the file"}</dd>
          {last && (
            <dd className="text-xs text-muted">
              <DateTime at={last.at} />
            </dd>
          )}
        </div>
      </dl>
    </Card>
  );
}
