"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { selectProject } from "@/components/queries/session/select-project";
import { ReadState } from "@/components/queries/states/read-state";
import { limitColumns } from "@/components/rate-limits/limit-columns";
import { useLimitRows } from "@/components/rate-limits/use-limit-rows";
import { tellIfRefused } from "@/components/shell/tell-if-refused";
import { Button } from "@/components/ui/button";
import { confirmLeave } from "@/components/ui/dialog/unsaved";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { FirstRowsNote } from "@/components/ui/table/first-rows-note";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { paths } from "@/lib/console/paths";
import type { ProjectPartProps } from "./project-part-props";

/**
 * Each model's rate limits in the project. They are changed on the rate limit screens, which show the selected project.
 */
export function ProjectLimitSection({ project, may }: ProjectPartProps) {
  const router = useRouter();
  const [isLeaving, startLeaving] = useTransition();
  const { rows, hasMore } = useLimitRows(project.id);
  const leave = () =>
    startLeaving(async () => {
      if (await tellIfRefused(() => selectProject(project.id), "project switch"))
        router.push(paths.rateLimits());
    });
  return (
    <Section
      title="Rate limits"
      description="How much this project may use each model, in rolling windows."
      actions={
        project.status === "active" && (
          <Button pending={isLeaving} onClick={() => confirmLeave(leave)}>
            {may("api.rate_limits.write") ? "Change rate limits" : "Open rate limits"}
          </Button>
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
