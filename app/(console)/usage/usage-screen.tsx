"use client";

import { ChartColumn } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { LinkButton } from "@/components/ui/links/link-button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { EmptyState } from "@/components/ui/states/empty-state";
import { formatCount } from "@/components/ui/values/group-digits";
import { UsageChart } from "@/components/usage/lazy-usage-chart";
import { RequestsOfThese } from "@/components/usage/other-view";
import { parseUsageView, type UsageRead, type UsageView } from "@/components/usage/usage-query";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { GroupTable } from "./group-table";
import { MetricTabs } from "./metric-tabs";
import { UsageFilters } from "./usage-filters";
import { UsageSkeleton } from "./usage-skeleton";

const POLL_MS = 30_000;

/** The exports of each summary. */
const exported = {
  retrieveUsageSummary: "listUsageSums",
  retrieveOwnUsageSummary: "listOwnUsageSums",
} as const;

type UsageScreenProps = {
  openedAt: number;
  read: UsageRead;
  /** Whether the person may use the playground. */
  canTry: boolean;
};

/** Usage and cost over time. */
export function UsageScreen({ openedAt, read, canTry }: UsageScreenProps) {
  const search = useSearchParams();
  const view = useMemo(
    () => parseUsageView((name) => search.get(name) ?? "", openedAt, read),
    [search, openedAt, read],
  );
  const isOpen = view.parameters.end_time === undefined;
  const usage = useRead(read, view.parameters, isOpen ? { refetchInterval: POLL_MS } : {});
  const isOwn = read === "retrieveOwnUsageSummary";
  return (
    <>
      <PageHead
        title={isOwn ? "Your usage" : "Usage"}
        action={
          <>
            {!isOwn && <RequestsOfThese />}
            <CsvLink
              href={buildExportUrl(exported[read], {
                ...view.parameters,
                order_by: undefined,
                latencies: undefined,
                series: undefined,
              })}
            />
          </>
        }
        sentence={
          isOwn
            ? "The cost, number and duration of your calls."
            : "The cost, number and duration of calls. A call counts here when it came in, and in a statement when it was charged."
        }
      />
      <div className="grid gap-4">
        <UsageFilters view={view} isOwn={isOwn} />
        <ReadState read={usage} to="show the usage" skeleton={<UsageSkeleton />}>
          {(summary) => <Usage summary={summary} view={view} canTry={canTry} isOwn={isOwn} />}
        </ReadState>
      </div>
    </>
  );
}

type UsageProps = { summary: UsageSummary; view: UsageView; canTry: boolean; isOwn: boolean };

function Usage({ summary, view, canTry, isOwn }: UsageProps) {
  const { totals, previous, pending_calls: pending } = summary;
  const isEmpty = [totals, previous?.totals].every((figures) => !figures?.requests && !figures?.refusals);
  return (
    <>
      {pending > 0 && (
        <Notice tone="near" title={`${formatCount(pending)} calls are still being added up`}>
          All other calls are included. The figures update automatically.
        </Notice>
      )}
      {isEmpty ? (
        <NoCall isFiltered={view.active.length > 0} canTry={canTry} isOwn={isOwn} />
      ) : (
        <>
          <MetricTabs summary={summary} chosen={view.metric} />
          <UsageChart summary={summary} view={view} />
          {summary.group_by !== null && (
            <GroupTable
              key={summary.group_by}
              summary={summary}
              grouping={summary.group_by}
              read={isOwn ? "listOwnUsageSums" : "listUsageSums"}
              parameters={view.parameters}
            />
          )}
        </>
      )}
    </>
  );
}

type NoCallProps = { isFiltered: boolean } & Pick<UsageProps, "canTry" | "isOwn">;

function NoCall({ isFiltered, canTry, isOwn }: NoCallProps) {
  if (isFiltered) {
    return (
      <EmptyState icon={ChartColumn} title="No calls match these filters">
        None in this period or the previous one. Remove a filter, or choose a longer period.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={ChartColumn}
      title="No calls in this period"
      action={
        canTry && (
          <LinkButton variant="primary" href={paths.playground()}>
            Try a prompt
          </LinkButton>
        )
      }
    >
      {isOwn
        ? "The calls that you make are counted here."
        : "All calls from programs and the playground are counted here."}{" "}
      Choose a longer period to see earlier ones.
    </EmptyState>
  );
}
