"use client";

import { Files } from "lucide-react";
import { projectColumn } from "@/components/object-page/project-column";
import type { ListedProject } from "@/components/object-page/project-list-page";
import type { Viewer } from "@/components/object-page/viewer";
import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useReadRows } from "@/components/queries/reads/use-read";
import { isWithoutAny, ReadState } from "@/components/queries/states/read-state";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import { LinkButton } from "@/components/ui/links/link-button";
import { PageHead } from "@/components/ui/page-head";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { PagedTable } from "@/components/ui/table/paged-table";
import { ProjectName } from "@/components/ui/text/project-name";
import { paths } from "@/lib/console/paths";
import { holdsInProject } from "@/lib/console/permissions-in";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { Permission } from "@/lib/contract/access/permissions";
import { filePurposes } from "@/lib/contract/calls/file-purposes";
import type { StoredFileObject } from "@/lib/contract/operations/tasks/files";
import { fileColumns } from "./file-columns";
import { filterNames, purposeWords } from "./file-filter";
import { useFileFilter } from "./use-file-filter";

type FileScreenProps = { project: ListedProject; viewer: Viewer };

/** The files of one project, or of every one. */
export function FileScreen({ project, viewer }: FileScreenProps) {
  const { parameters, active } = useFileFilter(project.id);
  const files = useReadRows("listFiles", parameters);
  const isNone = isWithoutAny(files, active.length > 0);
  const { id: projectId } = project;
  const isOne = projectId !== undefined;
  const mayIn = (id: string, permission: Permission) => holdsInProject(viewer.held, id, permission);
  const canCreateBatch =
    isOne && mayIn(projectId, "api.files.write") && mayIn(projectId, "api.batches.write");
  return (
    <>
      <PageHead
        title="Files"
        sentence={
          <>
            What programs uploaded for <ProjectName project={project} />, and the results of{" "}
            {isOne ? "its " : ""}batches.
          </>
        }
        action={
          !isNone && (
            <ExportMenu row="file" buildHref={(form) => buildExportUrl("listFiles", parameters, form)} />
          )
        }
      />
      <div className="grid gap-3">
        {!isNone && (
          <FilterBar names={filterNames} active={active}>
            <SelectFilter
              label="Purpose"
              parameter="purpose"
              all="Any purpose"
              options={filePurposes.map((value) => ({ value, label: purposeWords[value] }))}
            />
          </FilterBar>
        )}
        <ReadState
          read={files}
          to="list the files"
          skeleton={<TableSkeleton rows={12} columns={6} />}
          empty={<NoFile isFiltered={active.length > 0} {...{ canCreateBatch, projectId }} />}
        >
          {(rows) => (
            <PagedTable
              read={files}
              noun="file"
              caption="Files, newest first"
              columns={[
                ...(isOne ? [] : [projectColumn<StoredFileObject>(viewer.projects)]),
                ...fileColumns({
                  mayDelete: ({ project_id: id }) => mayIn(id, "api.files.write"),
                  canCreateBatch,
                }),
              ]}
              rows={rows}
              rowId={({ id }) => id}
            />
          )}
        </ReadState>
      </div>
    </>
  );
}

type NoFileProps = { isFiltered: boolean; canCreateBatch: boolean; projectId: string | undefined };

function NoFile({ isFiltered, canCreateBatch, projectId }: NoFileProps) {
  if (isFiltered) {
    return (
      <EmptyState icon={Files} title="No file of this purpose">
        Remove the filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Files}
      title="No files yet"
      action={
        canCreateBatch && (
          <LinkButton variant="primary" href={paths.batches(projectId)}>
            Create a batch
          </LinkButton>
        )
      }
    >
      The input of each batch is listed here, and its results once it has ended. So is what programs upload to{" "}
      <code className="font-mono text-sm">/v1/files</code>.
    </EmptyState>
  );
}
