"use client";

import { ChartColumn } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { KeyFilter, ModelFilter, ProjectFilter, useMemberOptions } from "@/components/filters/filter-choices";
import { providerOptions } from "@/components/filters/provider-options";
import { useOptions } from "@/components/filters/use-options";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import { RangeFilter } from "@/components/ui/filters/range-filter";
import { changeAddress, useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { LinkButton } from "@/components/ui/links/link-button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { formatCount } from "@/components/ui/values/group-digits";
import { describeComparison, describeLength } from "@/components/ui/values/write-figures";
import { UsageChart } from "@/components/usage/lazy-usage-chart";
import { compareMetric, DEFAULT_METRIC, type MetricName, metrics } from "@/components/usage/metrics";
import { RequestsOfThese } from "@/components/usage/other-view";
import {
  DEFAULT_RANGE,
  filterNames,
  groupingNames,
  parseUsageView,
  type UsageRead,
  type UsageView,
} from "@/components/usage/usage-query";
import { paths } from "@/lib/console/paths";
import { buildExportUrl, type ReadParameters } from "@/lib/console/reads/reads";
import type { UsageDimension, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { buildGroupRows, EveryGroup, groupColumns } from "./every-group";
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
            : "The cost, number and duration of calls. Usage counts a call when it arrives, a statement when it is charged."
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

const widthNames = [
  { value: "1m", label: "By the minute" },
  { value: "1h", label: "By the hour" },
  { value: "1d", label: "By the day (UTC)" },
];

/** The filters of the usage screen, bound to the address. */
function UsageFilters({ view, isOwn }: { view: UsageView; isOwn: boolean }) {
  const models = useOptions("listOrganizationModels");
  const [provider] = useUrlParameter("provider");
  const providers = providerOptions(models.rows, provider);
  return (
    <FilterBar names={filterNames} active={view.active}>
      <RangeFilter defaultRange={DEFAULT_RANGE} hasAll={false} />
      <SelectFilter label="Interval" parameter="bucket_width" all="Automatic interval" options={widthNames} />
      <ProjectFilter keyParameter="api_key_id" />
      <ModelFilter />
      {(models.isPending || providers.length > 0) && (
        <SelectFilter label="Provider" parameter="provider" all="All providers" options={providers} />
      )}
      {!isOwn && <CallerFilters />}
    </FilterBar>
  );
}

/** The filters by caller. */
function CallerFilters() {
  const [project] = useUrlParameter("project_id");
  const [key] = useUrlParameter("api_key_id");
  const { isPending, options: members, search } = useMemberOptions();
  return (
    <>
      {(project !== "" || key !== "") && <KeyFilter parameter="api_key_id" />}
      {(isPending || members.length > 0) && (
        <SelectFilter label="Member" parameter="user_id" all="Anybody" options={members} search={search} />
      )}
    </>
  );
}

/** A tab per metric with its figure and its change. Selecting one shows its chart. */
function MetricTabs({ summary, chosen }: { summary: UsageSummary; chosen: MetricName }) {
  const length = describeLength(summary.end_time - summary.start_time);
  return (
    <div
      role="group"
      aria-label="Metric"
      className="grid grid-cols-2 overflow-hidden rounded-md border bg-surface sm:grid-cols-3 lg:grid-cols-5"
    >
      {(Object.keys(metrics) as MetricName[]).map((name) => (
        <MetricTab key={name} name={name} summary={summary} isChosen={name === chosen} length={length} />
      ))}
    </div>
  );
}

type MetricTabProps = { name: MetricName; summary: UsageSummary; isChosen: boolean; length: string };

function MetricTab({ name, summary, isChosen, length }: MetricTabProps) {
  const { label, whole } = metrics[name];
  const change = compareMetric(name, summary);
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => changeAddress({ metric: name === DEFAULT_METRIC ? undefined : name })}
      className={classNames(
        "-mr-px -mb-px grid content-start border-r border-b px-4 py-3 text-left -outline-offset-2",
        isChosen
          ? "bg-accent/8 forced-colors:outline shadow-[inset_0_2px_0_var(--accent)]"
          : "hover:bg-default-soft",
      )}
    >
      <span className="text-sm text-muted">{label}</span>
      <span className="text-xl font-semibold whitespace-nowrap">
        {whole(summary.totals).text}
        {name === "spend" && <span className="ml-1 text-sm font-normal text-muted">{summary.currency}</span>}
      </span>
      <span className="text-sm text-muted">
        {change === null ? `none in the ${length} before` : describeComparison(change, length)}
      </span>
    </button>
  );
}

type GroupTableProps = {
  summary: UsageSummary;
  grouping: UsageDimension;
  /** The list of every group, with the parameters of the summary. */
  read: "listUsageSums" | "listOwnUsageSums";
  parameters: ReadParameters;
};

/**
 * All figures by group. A row links to that group alone, broken down by model, or by project if the rows are models.
 */
export function GroupTable({ summary, grouping, read, parameters }: GroupTableProps) {
  const search = useSearchParams();
  const [showsEvery, setShowsEvery] = useState(false);
  const { currency, totals } = summary;
  const hasAudio = totals.input_audio_tokens + totals.output_audio_tokens > 0;
  const columns = useMemo(
    () => groupColumns(grouping, { currency, hasAudio }),
    [grouping, currency, hasAudio],
  );
  const rows = buildGroupRows(summary, grouping);
  const alone = (id: string | null) =>
    id === null
      ? undefined
      : paths.usage({
          ...Object.fromEntries(search),
          [grouping]: id,
          group_by: grouping === "model" ? "project_id" : "model",
        });
  const noun = groupingNames.find(({ value }) => value === grouping)?.label.toLowerCase();
  const { rest } = summary;
  if (rest && showsEvery)
    return (
      <Section title={`By ${noun}`} actions={<TopOnly show={() => setShowsEvery(false)} />}>
        <EveryGroup
          {...{ summary, grouping, read, parameters, hasAudio }}
          noun={`${noun}s`}
          rowHref={alone}
        />
      </Section>
    );
  return (
    <Section
      title={`By ${noun}`}
      actions={
        rest && (
          <Button size="small" onClick={() => setShowsEvery(true)}>
            Search all {formatCount(summary.groups.length + rest.groups)}
          </Button>
        )
      }
    >
      <SortedTable
        caption={`Usage by ${noun}`}
        columns={columns}
        rows={rows}
        rowId={({ id, isRest }) => (isRest ? "rest" : (id ?? "none"))}
        rowHref={({ id }) => alone(id)}
        none="No calls in this period."
      />
    </Section>
  );
}

const TopOnly = ({ show }: { show: () => void }) => (
  <Button size="small" onClick={show}>
    Show the largest only
  </Button>
);
