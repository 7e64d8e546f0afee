"use client";

import { Boxes } from "lucide-react";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { ReadState } from "@/components/queries/states/read-state";
import { LinkButton } from "@/components/ui/links/link-button";
import { EmptyState } from "@/components/ui/states/empty-state";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { FirstRowsNote } from "@/components/ui/table/first-rows-note";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import { FilterByUsage, useRowsByUsage } from "./filter-by-usage";
import { LazyTypedForm } from "./lazy-typed-form";
import { limitColumns } from "./limit-columns";
import { filterRows, type LimitRow } from "./limit-row";
import { LimitUsageScope } from "./limit-usage-scope";
import { RateLimitListSkeleton } from "./rate-limit-list-skeleton";
import { useLimitRows } from "./use-limit-rows";

type RateLimitListProps = { project: { id: string; name: string }; baseUrl: string };

/** All models' limits in a project. */
export function RateLimitList({ project, baseUrl }: RateLimitListProps) {
  const { rows, hasMore } = useLimitRows(project.id);

  if (!rows.data && rows.error?.problem.code === "unsupported") {
    return <LazyTypedForm baseUrl={baseUrl} projectId={project.id} />;
  }
  return (
    <ReadState read={rows} to="list the rate limits" skeleton={<RateLimitListSkeleton />} empty={<NoModel />}>
      {(all) => (
        <LimitUsageScope projectId={project.id}>
          <Rows all={all} hasMore={hasMore} project={project} />
        </LimitUsageScope>
      )}
    </ReadState>
  );
}

type RowsProps = { all: readonly LimitRow[]; hasMore: boolean; project: RateLimitListProps["project"] };

function Rows({ all, hasMore, project }: RowsProps) {
  const byUsage = useRowsByUsage();
  return (
    <>
      <FilteredList
        caption={`Rate limits of project ${project.name}`}
        columns={limitColumns}
        rows={all}
        rowId={({ limit }) => limit.id}
        rowHref={({ limit }) => paths.rateLimit(project.id, limit.model)}
        noun="model"
        label="Search models"
        filters={<FilterByUsage />}
        find={(rows, typed) => filterRows(byUsage(rows), typed)}
        none={(typed) =>
          typed === "" ? "No model fits this filter." : `No model that fits contains “${typed}”.`
        }
        download={<CsvLink href={buildExportUrl("listRateLimits", { project_id: project.id })} />}
        further={null}
      />
      {hasMore && <FirstRowsNote shown={all.length} />}
    </>
  );
}

function NoModel() {
  return (
    <EmptyState
      icon={Boxes}
      title="No models yet"
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
