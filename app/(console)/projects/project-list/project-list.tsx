"use client";

import { Check } from "lucide-react";
import { useTransition } from "react";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { selectProject } from "@/components/queries/session/select-project";
import { tellIfRefused } from "@/components/shell/tell-if-refused";
import { Button } from "@/components/ui/button";
import { confirmLeave } from "@/components/ui/dialog/unsaved";
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

function switchFrom(currentProjectId: string | null): Column<Project> {
  return {
    id: "current",
    header: "In this console",
    width: "w-40",
    phone: "end",
    cell: (project) => <Switch project={project} isCurrent={project.id === currentProjectId} />,
  };
}

type ProjectListProps = {
  projects: readonly Project[];
  /** The status of the listed projects. */
  status: ProjectStatus;
  further: FurtherRows<Project>;
  currentProjectId: string | null;
};

export function ProjectList({ projects, status, further, currentProjectId }: ProjectListProps) {
  return (
    <FilteredList
      caption="Projects of the organization"
      columns={[...columns, switchFrom(currentProjectId)]}
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

function Switch({ project, isCurrent }: { project: Project; isCurrent: boolean }) {
  const [isPending, startTransition] = useTransition();
  const choose = async () => {
    await tellIfRefused(() => selectProject(project.id), "project switch");
  };
  if (isCurrent) {
    return (
      <Status tone="neutral" icon={Check}>
        Current
      </Status>
    );
  }
  if (project.status !== "active") return null;
  return (
    <Button
      size="small"
      className="relative z-1"
      pending={isPending}
      onClick={() => confirmLeave(() => startTransition(choose))}
    >
      Switch <span className="sr-only">to {project.name}</span>
    </Button>
  );
}
