"use client";

import { CsvLink } from "@/components/queries/exports/csv-link";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import { findByNameOrId } from "@/components/ui/search/find-by-name-or-id";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { FilteredList, type FurtherRows } from "@/components/ui/table/filtered-list";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { Project } from "@/lib/contract/operations/projects/projects";
import type { ProjectStatus } from "./project-list-reads";

const columns: readonly Column<Project>[] = [
  {
    id: "name",
    header: "Name",
    sortValue: ({ name }) => name,
    cell: ({ name }) => <span className="inline-block min-w-24 font-medium wrap-anywhere">{name}</span>,
  },
  { id: "id", header: "Id", width: "w-72", cell: ({ id }) => <IdChip id={id} what="project id" /> },
  {
    id: "created",
    header: "Created",
    apiName: "created_at",
    width: "w-40",
    sortValue: (project) => project.created_at,
    cell: (project) => <RelativeTime at={project.created_at} />,
  },
  {
    id: "status",
    header: "Status",
    width: "w-28",
    sortValue: ({ status }) => status,
    cell: ({ status }) => (
      <Status tone={status === "active" ? "good" : "neutral"}>
        {status === "active" ? "Active" : "Archived"}
      </Status>
    ),
  },
];

type ProjectListProps = {
  projects: readonly Project[];
  /** The status of the listed projects. */
  status: ProjectStatus;
  further: FurtherRows<Project>;
};

export function ProjectList({ projects, status, further }: ProjectListProps) {
  return (
    <FilteredList
      caption="Projects of the organization"
      columns={columns}
      rows={projects}
      rowId={({ id }) => id}
      rowHref={({ id }) => paths.project(id)}
      noun="project"
      label="Search projects"
      unfilteredUpTo={10}
      find={findByNameOrId}
      none={(typed) =>
        typed ? `No project has “${typed}” in its name or id.` : "No project has been archived."
      }
      download={<CsvLink href={buildExportUrl("listProjects", status ? { include_archived: "true" } : {})} />}
      filters={
        <SelectFilter
          label="Status"
          parameter="status"
          all="Active projects"
          options={[
            { value: "archived", label: "Archived projects" },
            { value: "all", label: "All projects" },
          ]}
        />
      }
      further={further}
    />
  );
}
