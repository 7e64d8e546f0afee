"use client";

import { Download, Files, Rows4, Trash2 } from "lucide-react";
import { Fragment, useCallback } from "react";
import type { Viewer } from "@/components/object-page/object-page";
import { projectColumn } from "@/components/object-page/project-column";
import type { ListedProject } from "@/components/object-page/project-list-page";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useReadRows } from "@/components/queries/reads/use-read";
import { isWithoutAny, ReadState } from "@/components/queries/states/read-state";
import { deleteFile } from "@/components/tasks/actions";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import type { FindInAddress } from "@/components/ui/filters/time-range";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { IconButton } from "@/components/ui/icon-button";
import { ConsoleLink } from "@/components/ui/links/console-link";
import { LinkButton } from "@/components/ui/links/link-button";
import { PageHead } from "@/components/ui/page";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { PagedTable } from "@/components/ui/table/paged-table";
import { IdChip } from "@/components/ui/text/id-chip";
import { ProjectName } from "@/components/ui/text/project-name";
import { ClockTime } from "@/components/ui/time/clock-time";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { paths } from "@/lib/console/paths";
import { holdsInProject } from "@/lib/console/permissions-in";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { Permission } from "@/lib/contract/access/permissions";
import { filePurposes } from "@/lib/contract/calls/file-purposes";
import { formatBytes } from "@/lib/contract/format-bytes";
import type { StoredFileObject } from "@/lib/contract/operations/tasks/files";
import { fileParameters, filterNames, purposeWords } from "./file-filter";

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

type Rights = { mayDelete: (file: StoredFileObject) => boolean; canCreateBatch: boolean };

const iconLink =
  "inline-grid size-6 place-items-center rounded-md text-muted hover:bg-default hover:text-foreground pointer-coarse:size-11 [&_svg]:size-4";

/** Is wrapped after an underscore rather than in a word or an id. */
function FileName({ name }: { name: string }) {
  return name.split(/(?<=_)/).map((part, index) => (
    // Keyed by position: a file is never renamed.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

function CreateBatch({ file }: { file: StoredFileObject }) {
  return (
    <ConsoleLink
      href={paths.batches(file.project_id, { file: file.id })}
      title="Create batch"
      className={iconLink}
    >
      <Rows4 aria-hidden />
      <span className="sr-only">Create a batch of {file.filename}</span>
    </ConsoleLink>
  );
}

function fileColumns({ mayDelete, canCreateBatch }: Rights): readonly Column<StoredFileObject>[] {
  return [
    {
      id: "name",
      header: "Name",
      apiName: "filename",
      width: "w-96",
      cell: ({ filename, id }) => (
        <span className="grid min-w-0">
          <span className="font-medium wrap-anywhere">
            <FileName name={filename} />
          </span>
          <IdChip id={id} what="file id" />
        </span>
      ),
    },
    {
      id: "purpose",
      header: "Purpose",
      apiName: "purpose",
      width: "w-44",
      cell: ({ purpose }) => purposeWords[purpose],
    },
    {
      id: "bytes",
      header: "Size",
      apiName: "bytes",
      width: "w-28",
      numeric: true,
      cell: ({ bytes }) => formatBytes(bytes),
    },
    {
      id: "created",
      header: "Created",
      apiName: "created_at",
      width: "w-36",
      cell: ({ created_at }) => <ClockTime at={created_at} />,
    },
    {
      id: "expires",
      header: "Expires",
      apiName: "expires_at",
      width: "w-36",
      cell: ({ expires_at }) =>
        expires_at === null ? <span className="text-muted">Never</span> : <RelativeTime at={expires_at} />,
    },
    {
      id: "actions",
      header: "Actions",
      width: "w-32",
      numeric: true,
      phone: "end",
      cell: (file) => (
        <span className="flex items-center justify-end gap-1.5">
          {canCreateBatch && file.purpose === "batch" && <CreateBatch file={file} />}
          <a href={paths.fileContent(file.id)} download title="Download" className={iconLink}>
            <Download aria-hidden />
            <span className="sr-only">Download {file.filename}</span>
          </a>
          {mayDelete(file) && <DeleteFile file={file} />}
        </span>
      ),
    },
  ];
}

/** Deletes a file after a confirmation. */
function DeleteFile({ file: { id, filename, bytes, purpose, version } }: { file: StoredFileObject }) {
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton size="small" label={`Delete ${filename}`} icon={<Trash2 />} onClick={ask} />
      )}
      title={`Delete the file “${filename}”?`}
      confirmLabel="Delete file"
      action={deleteFile}
      input={{ fileId: id, version }}
      refetch={["listFiles"]}
      done={() => `File “${filename}” deleted`}
    >
      Its {formatBytes(bytes)} are deleted for everybody.{" "}
      {purpose === "batch_output"
        ? "What its lines were charged stays charged."
        : "Batches created from it keep their results."}{" "}
      This can’t be undone.
    </ConfirmedAction>
  );
}

/** Returns the list's filter from the address. */
export function useFileFilter(projectId: string | undefined) {
  const readParameters = useCallback(
    (findInAddress: FindInAddress) => fileParameters(projectId, findInAddress),
    [projectId],
  );
  return useAddressFilter(filterNames, readParameters);
}
