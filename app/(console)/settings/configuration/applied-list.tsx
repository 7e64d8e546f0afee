"use client";

import { countApplied, UndoButton } from "@/components/configuration/applied-notice";
import { ObjectName } from "@/components/configuration/plan-view";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Card } from "@/components/ui/card";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { DateTime } from "@/components/ui/time/date-time";
import type { ConfigurationApplication } from "@/lib/contract/operations/configuration/configuration";

/** The plans that were applied last, each with its undo. */
export function AppliedList() {
  const applied = useRead("listConfigurationApplications", { limit: "20" });
  return (
    <Section title="Applied" description="The last 20. Each can be undone for 30 days.">
      <ReadState read={applied} to="see what was applied" skeleton={<TableSkeleton rows={3} columns={3} />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-sm text-muted">No file has been applied yet.</p>
          ) : (
            <Card flush>
              <ul className="divide-y">
                {data.map((one) => (
                  <AppliedRow key={one.id} applied={one} />
                ))}
              </ul>
            </Card>
          )
        }
      </ReadState>
    </Section>
  );
}

/** More changed objects than these are counted. */
const NAMED = 3;

function AppliedRow({ applied }: { applied: ConfigurationApplication }) {
  const { id, applied_at: at, applied_by: by, changes, undo_until: until } = applied;
  const others = changes.length - NAMED;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3.5 py-2 text-sm">
      <div className="min-w-48 flex-1">
        <p className="font-medium">{countApplied(changes.length)}</p>
        <p className="text-muted wrap-anywhere">
          {changes.slice(0, NAMED).map(({ id: changed, path }, index) => (
            <span key={changed}>
              {index > 0 && ", "}
              <ObjectName path={path} />
            </span>
          ))}
          {others > 0 && ` and ${others} more`}
        </p>
      </div>
      <p className="text-muted">
        {by}, <DateTime at={at} />
      </p>
      {until === null ? (
        <span className="text-muted">Undone</span>
      ) : (
        changes.length > 0 && <UndoButton id={id} />
      )}
    </li>
  );
}
