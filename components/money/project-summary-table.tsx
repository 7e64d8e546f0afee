"use client";

import { useCallback } from "react";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import { FilterInput } from "@/components/ui/filters/filter-input";
import type { FindInAddress } from "@/components/ui/filters/time-range";
import { changeAddress, useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { PagedTable } from "@/components/ui/table/paged-table";
import type { Sort } from "@/components/ui/table/sort-rows";
import { Toolbar } from "@/components/ui/table/toolbar";
import { useRowSelection } from "@/components/ui/table/use-row-selection";
import { CopyButton } from "@/components/ui/text/copy-button";
import { DayOf } from "@/components/ui/time/day-of";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { Quantity } from "@/components/ui/values/quantity";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { formatShortDecimal } from "@/components/ui/values/write-figures";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { ProjectSummary } from "@/lib/contract/operations/projects/project-summaries";
import { parseCheckedAmount } from "@/lib/money/amount";
import { type ProjectActions, ProjectSelection } from "./project-selection";
import {
  formatProjectSort,
  parseProjectSort,
  projectFilters,
  projectSummaryParameters,
} from "./project-summary-reads";

type ProjectSummaryTableProps = {
  subject: "projects" | "spend limits";
  currency: string;
  /** The sort until another is chosen. */
  usual: Sort;
  rowHref: (project: ProjectSummary) => string;
  may: ProjectActions;
};

const rowId = ({ id }: ProjectSummary) => id;
const rowName = ({ name }: ProjectSummary) => name;

/** Projects with what their month came to: sorted, searched and paged by the gateway. */
export function ProjectSummaryTable({ subject, currency, usual, rowHref, may }: ProjectSummaryTableProps) {
  const readParameters = useCallback((find: FindInAddress) => projectSummaryParameters(find, usual), [usual]);
  const { parameters, findInAddress } = useAddressFilter(projectFilters, readParameters);
  const sort = parseProjectSort(findInAddress("sort"), usual);
  const list = useReadRows("listProjectSummaries", parameters);
  const rows = list.data ?? [];
  const selection = useRowSelection({ rows, rowId, rowName });
  const columns = [selection.column, ...projectColumns(rows, currency, subject)];
  const typed = findInAddress("q");
  // The largest figure is asked for first, names and days the other way round.
  const isNumeric = (id: string) => columns.find((column) => column.id === id)?.numeric ?? false;
  const onSort = (next: Sort) => {
    const chosen = next.column === sort.column ? next : { ...next, descending: isNumeric(next.column) };
    changeAddress({ sort: formatProjectSort(chosen) });
  };
  const { limit: _limit, ...filter } = parameters;
  return (
    <div>
      {selection.selected.length > 0 ? (
        <ProjectSelection
          projects={selection.selected}
          may={may}
          currency={currency}
          clear={selection.clear}
        />
      ) : (
        <Toolbar
          actions={
            <CsvLink
              href={buildExportUrl("listProjectSummaries", {
                ...filter,
                order_by: undefined,
                order: undefined,
              })}
            />
          }
        >
          <FilterInput label="Search projects" />
          <StatusFilter />
        </Toolbar>
      )}
      <ReadState read={list} to="list the projects" skeleton={<TableSkeleton rows={8} columns={7} />}>
        {(projects) => (
          <PagedTable
            read={list}
            noun="project"
            caption="Projects of the organization"
            columns={columns}
            rows={projects}
            rowId={rowId}
            rowHref={rowHref}
            sort={sort}
            onSort={onSort}
            none={typed ? `No project has “${typed}” in its name or id.` : "No such project."}
          />
        )}
      </ReadState>
    </div>
  );
}

function StatusFilter() {
  return (
    <SelectFilter
      label="Status"
      parameter="status"
      all="Active projects"
      options={[
        { value: "archived", label: "Archived projects" },
        { value: "all", label: "All projects" },
      ]}
    />
  );
}

type Figure = "spent_amount" | "forecast_amount" | "limit_amount";
type Count = "requests" | "refusals" | "keys";

function moneyColumn(id: Figure, header: string, currency: string, none = "–"): Column<ProjectSummary> {
  const read = (project: ProjectSummary) =>
    project[id] === null ? null : formatShortDecimal(parseCheckedAmount(project[id]));
  return {
    id,
    header,
    unit: currency,
    unitBelow: true,
    numeric: true,
    isOrdered: true,
    apiName: id,
    amount: read,
    cell: ({ [id]: amount }) =>
      amount === null ? (
        <span className="text-muted">{none}</span>
      ) : (
        <RoundedMoney
          amount={parseCheckedAmount(amount)}
          isRounded={id === "forecast_amount" && amount !== "0.00"}
        />
      ),
  };
}

function countColumn(id: Count, header: string): Column<ProjectSummary> {
  return {
    id,
    header,
    numeric: true,
    isOrdered: true,
    apiName: id,
    wide: true,
    cell: ({ [id]: count }) =>
      count === 0 ? <span className="text-muted">0</span> : <Quantity value={count} none="–" />,
  };
}

const nameColumn: Column<ProjectSummary> = {
  id: "name",
  header: "Name",
  isOrdered: true,
  width: "min-w-40",
  cell: ({ name }) => <span className="wrap-anywhere">{name}</span>,
};

/** Its id behind a button, and whether it is archived. */
const idColumn: Column<ProjectSummary> = {
  id: "id",
  header: "Id",
  width: "w-10",
  phone: "end",
  cell: ({ id, status }) => (
    <span className="relative z-1 flex items-center gap-2">
      {status === "archived" && <Status tone="neutral">Archived</Status>}
      <CopyButton text={id} what="project id" />
    </span>
  ),
};

/** The day on which the month's charges reach the limit. */
const reachedColumn: Column<ProjectSummary> = {
  id: "limit_reached_at",
  header: "Limit reached",
  isOrdered: true,
  apiName: "limit_reached_at",
  width: "w-36",
  cell: (project) => <LimitReached project={project} />,
};

function LimitReached({ project }: { project: ProjectSummary }) {
  const { limit_amount: limit, limit_reached_at: at, spent_amount: spent } = project;
  if (limit === null) return <span className="text-muted">No limit</span>;
  if (spent !== null && parseCheckedAmount(spent) >= parseCheckedAmount(limit))
    return <Status tone="bad">Used up</Status>;
  if (at === null) return <span className="text-muted">Not this month</span>;
  return (
    <Status tone="near">
      <DayOf at={at} />
    </Status>
  );
}

const usedColumn: Column<ProjectSummary> = {
  id: "last_used_at",
  header: "Key last used",
  isOrdered: true,
  apiName: "last_used_at",
  width: "w-32",
  wide: true,
  cell: ({ last_used_at: at }) =>
    at === null ? <span className="text-muted">Never</span> : <RelativeTime at={at} />,
};

/** The columns of figures that the person sees in at least one of the projects. */
function projectColumns(
  projects: readonly ProjectSummary[],
  currency: string,
  subject: "projects" | "spend limits",
): Column<ProjectSummary>[] {
  const sees = (name: keyof ProjectSummary) => projects.some((project) => project[name] !== null);
  const [money, keys] = [sees("spent_amount"), sees("keys")];
  const spent = money
    ? [moneyColumn("spent_amount", "Spent", currency), moneyColumn("forecast_amount", "Forecast", currency)]
    : [];
  const limit = moneyColumn("limit_amount", "Spend limit", currency);
  if (subject === "spend limits") return [nameColumn, limit, ...spent, reachedColumn];
  return [
    nameColumn,
    idColumn,
    ...spent,
    ...(sees("limit_amount") ? [limit, reachedColumn] : []),
    ...(money ? [countColumn("requests", "Calls"), countColumn("refusals", "Refused")] : []),
    ...(keys ? [countColumn("keys", "Keys"), usedColumn] : []),
  ];
}
