"use client";

import { KeyFilter, ModelFilter, ProjectFilter, useMemberOptions } from "@/components/filters/filter-choices";
import { providerOptions } from "@/components/filters/provider-options";
import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useRead, useReadPages } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ReadState } from "@/components/queries/states/read-state";
import { labelCheck, outcomeLabels, refusingChecks } from "@/components/requests/describe-outcome";
import { lazyChart } from "@/components/ui/chart/lazy-chart";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import {
  AmountFilter,
  CheckedTextFilter,
  SelectFilter,
  TextFilter,
  Titled,
} from "@/components/ui/filters/filter-fields";
import { RangeFilter } from "@/components/ui/filters/range-filter";
import { changeAddress, useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { PageHead } from "@/components/ui/page";
import { Skeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import { UsageOfThese } from "@/components/usage/other-view";
import { buildExportUrl } from "@/lib/console/reads/reads";
import {
  DEFAULT_RANGE,
  type FilterName,
  filterNames,
  parseMilliseconds,
  parseStatus,
} from "./request-filter";
import { ColumnMenu, RequestList, useNewCalls } from "./request-list";
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

const alwaysShown: readonly FilterName[] = ["project_id", "model", "outcome"];
const further = filterNames.filter((name) => !alwaysShown.includes(name));

/** The filters of the list, bound to the address. */
export function RequestFilters({ active }: { active: readonly FilterName[] }) {
  return (
    <FilterBar names={filterNames} active={active} further={{ names: further, fields: <FurtherFilters /> }}>
      <RangeFilter defaultRange={DEFAULT_RANGE} />
      <ProjectFilter keyParameter="api_key_id" />
      <ModelFilter />
      <SelectFilter
        label="Outcome"
        parameter="outcome"
        all="Any outcome"
        options={Object.entries(outcomeLabels).map(([value, label]) => ({ value, label }))}
      />
    </FilterBar>
  );
}

const POLL_MS = 15_000;

const skeleton = <Skeleton className="h-40 w-full rounded-md" />;

const Histogram = lazyChart(() => import("./histogram").then((file) => file.Histogram), skeleton);

/** The listed calls over time. Selecting a range filters the list. */
export function RequestChart({ openedAt }: { openedAt: number }) {
  const { parameters, range } = useRequestFilter(openedAt);
  const asked = { ...parameters, limit: undefined };
  const options = range.end === null ? { refetchInterval: POLL_MS } : {};
  const histogram = useRead("retrieveRequestHistogram", asked, options);
  const listed = useReadPages("listRequests", parameters);
  // If neither can be read, the list says why.
  if (histogram.error && !histogram.data && listed.error) return null;
  return (
    <ReadState read={histogram} to="show the calls over time" skeleton={skeleton}>
      {(data) =>
        data.is_counted === false ? (
          <p className="rounded-md border bg-surface px-3 py-2 text-sm text-muted">
            There are too many calls to count with this filter. Choose a shorter period to see the chart.
          </p>
        ) : (
          <Histogram histogram={data} zoom={zoom} />
        )
      }
    </ReadState>
  );
}

function zoom(from: number, to: number): void {
  changeAddress({ from: String(from), to: String(to), range: undefined }, { isStep: true });
}

/** The less common filters. */
function FurtherFilters() {
  const [project] = useUrlParameter("project_id");
  const [provider] = useUrlParameter("provider");
  const { options: members, search } = useMemberOptions();
  const models = useRead(...wholeList("listOrganizationModels")).data?.data ?? [];
  return (
    <>
      <Titled title="Refused by">
        <SelectFilter
          label="Refused by"
          parameter="refused_by"
          all="Any check"
          options={refusingChecks.map((check) => ({ value: check, label: labelCheck(check) }))}
        />
      </Titled>
      <Titled title="Provider">
        <SelectFilter
          label="Provider"
          parameter="provider"
          all="All providers"
          options={providerOptions(models, provider)}
        />
      </Titled>
      <Titled title="Member">
        <SelectFilter label="Member" parameter="user_id" all="Anybody" options={members} search={search} />
      </Titled>
      {project === "" ? (
        <TextFilter label="Key id" parameter="api_key_id" placeholder="key_…" />
      ) : (
        <Titled title="Key">
          <KeyFilter parameter="api_key_id" />
        </Titled>
      )}
      <CheckedTextFilter
        label="Status"
        parameter="status"
        placeholder="Such as 429"
        inputMode="numeric"
        parse={parseStatus}
      />
      <AmountFilter label="Cost at least" parameter="min_amount" placeholder="Such as 0.01" />
      <CheckedTextFilter
        label="Duration at least, ms"
        parameter="min_duration_ms"
        placeholder="Such as 1000"
        inputMode="numeric"
        parse={parseMilliseconds}
      />
      <TextFilter label="Request id" parameter="request_id" placeholder="req_… or txn_…" />
      <TextFilter label="Batch id" parameter="batch_id" placeholder="batch_…" />
    </>
  );
}
