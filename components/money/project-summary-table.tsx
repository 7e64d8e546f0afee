"use client";

import { useCallback } from "react";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { changeAddress } from "@/components/ui/filters/change-address";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import { FilterInput } from "@/components/ui/filters/filter-input";
import type { FindInAddress } from "@/components/ui/filters/find-in-address";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { PagedTable } from "@/components/ui/table/paged-table";
import type { Sort } from "@/components/ui/table/sort-rows";
import { Toolbar } from "@/components/ui/table/toolbar";
import { useRowSelection } from "@/components/ui/table/use-row-selection";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { ProjectSummary } from "@/lib/contract/operations/projects/project-summaries";
import { type ProjectActions, ProjectSelection } from "./project-selection";
import { projectColumns } from "./project-summary-columns";
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
