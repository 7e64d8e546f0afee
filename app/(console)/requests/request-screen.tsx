"use client";

import { ExportMenu } from "@/components/queries/exports/export-menu";
import { PageHead } from "@/components/ui/page-head";
import { Status } from "@/components/ui/status";
import { UsageOfThese } from "@/components/usage/other-view";
import { buildExportUrl } from "@/lib/console/reads/reads";
import { ColumnMenu } from "./column-menu";
import { RequestChart } from "./request-chart";
import { DEFAULT_RANGE } from "./request-filter";
import { RequestFilters } from "./request-filters";
import { RequestList } from "./request-list";
import { useNewCalls } from "./use-new-calls";
import { useRequestFilter } from "./use-request-filter";

/** All calls with their outcomes. */
export function RequestScreen({ openedAt }: { openedAt: number }) {
  const { parameters, active, range } = useRequestFilter(openedAt);
  return (
    <>
      <PageHead
        title="Requests"
        beside={range.end === null && <LiveMark openedAt={openedAt} />}
        sentence="Every call and refusal, with its details."
        action={
          <>
            <UsageOfThese usual={DEFAULT_RANGE} />
            <ColumnMenu />
            <ExportMenu row="call" buildHref={(form) => buildExportUrl("listRequests", parameters, form)} />
          </>
        }
      />
      <div className="grid gap-3">
        <RequestFilters active={active} />
        <RequestChart openedAt={openedAt} />
        <RequestList openedAt={openedAt} />
      </div>
    </>
  );
}

/** Says whether the list is live, or that its last read failed. */
function LiveMark({ openedAt }: { openedAt: number }) {
  const { listed, since } = useNewCalls(openedAt);
  if (listed.error || since.error) return <Status tone="near">Not live: the last read failed</Status>;
  return <Status tone="good">Live</Status>;
}
