"use client";

import { ReadState } from "@/components/queries/states/read-state";
import { limitColumns } from "@/components/rate-limits/limit-columns";
import { useLimitRows } from "@/components/rate-limits/use-limit-rows";
import { LinkButton } from "@/components/ui/links/link-button";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { FirstRowsNote } from "@/components/ui/table/first-rows-note";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { paths } from "@/lib/console/paths";
import type { ProjectPartProps } from "./project-part-props";

/**
 * Each model's rate limits in the project. They are changed on the rate limit screens.
 */
export function ProjectLimitSection({ project, may }: ProjectPartProps) {
  const { rows, hasMore } = useLimitRows(project.id);
  return (
    <Section
      title="Rate limits"
      description="How much this project may use each model, in rolling windows."
      actions={
        project.status === "active" && (
          <LinkButton href={paths.rateLimits(project.id)}>
            {may("api.rate_limits.write") ? "Change rate limits" : "Open rate limits"}
          </LinkButton>
        )
      }
    >
      <ReadState read={rows} to="list the rate limits" skeleton={<TableSkeleton rows={4} columns={6} />}>
        {(all) => (
          <div>
            <SortedTable
              caption={`Rate limits of project ${project.name}`}
              columns={limitColumns}
              rows={all}
              rowId={({ limit }) => limit.id}
              none="No models yet."
            />
            {hasMore && <FirstRowsNote shown={all.length} />}
          </div>
        )}
      </ReadState>
    </Section>
  );
}
