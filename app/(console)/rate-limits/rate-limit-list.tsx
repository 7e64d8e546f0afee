"use client";

import { Boxes } from "lucide-react";
import { ProblemState } from "@/app/queries/problem-state";
import { StaleNotice } from "@/app/queries/stale-notice";
import { CsvLink } from "@/components/table/csv-link";
import { FilterInput } from "@/components/table/filter-input";
import { SortedTable } from "@/components/table/sorted-table";
import { Toolbar } from "@/components/table/toolbar";
import { useUrlParameter } from "@/components/table/use-url-parameter";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { paths } from "@/lib/console/paths";
import { exportUrl } from "@/lib/console/reads";
import { limitColumns } from "./limit-columns";
import { filterRows, type LimitRow } from "./limit-row";
import { RateLimitListSkeleton } from "./rate-limit-list-skeleton";
import { TypedRateLimitForm } from "./typed-rate-limit-form";
import { useLimitRows } from "./use-limit-rows";

type RateLimitListProps = { project: { id: string; name: string }; baseUrl: string };

/** Every model's limits in one project. */
export function RateLimitList({ project, baseUrl }: RateLimitListProps) {
  const { limits, rows, hasMore } = useLimitRows(project.id);

  if (!rows && limits.error?.problem.code === "unsupported") {
    return <TypedRateLimitForm baseUrl={baseUrl} projectId={project.id} />;
  }
  if (!rows && limits.error) {
    const retry = () => void limits.refetch();
    return <ProblemState problem={limits.error.problem} to="list the rate limits" retry={retry} />;
  }
  if (!rows) return <RateLimitListSkeleton />;
  if (rows.length === 0) return <NoModel />;
  return (
    <>
      <StaleNotice read={limits} />
      <RateLimitTable rows={rows} project={project} />
      {hasMore && (
        <p className="mt-2 text-sm text-muted">
          These are the first {rows.length}. The others are in the API, page by page.
        </p>
      )}
    </>
  );
}

function RateLimitTable({
  rows,
  project,
}: {
  rows: readonly LimitRow[];
  project: { id: string; name: string };
}) {
  const [filter] = useUrlParameter("q");
  const found = filterRows(rows, filter);
  return (
    <>
      <Toolbar actions={<CsvLink href={exportUrl("listRateLimits", { project_id: project.id })} />}>
        <FilterInput label="Filter models" />
      </Toolbar>
      <SortedTable
        caption={`Rate limits of project ${project.name}`}
        columns={limitColumns}
        rows={found}
        rowId={({ limit }) => limit.id}
        rowHref={({ limit }) => paths.rateLimit(limit.id)}
        none={`No model is named “${filter}”.`}
      />
    </>
  );
}

function NoModel() {
  return (
    <EmptyState
      icon={Boxes}
      title="No model yet"
      action={
        <LinkButton variant="primary" href={paths.models()}>
          Go to models
        </LinkButton>
      }
    >
      Each model brings its own defaults; here they are set for one project at a time.
    </EmptyState>
  );
}
