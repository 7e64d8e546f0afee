"use client";

import { Plus } from "lucide-react";
import { StatusModelFilters, useStatusModelFilter } from "@/components/filters/status-model-filters";
import { ProjectChoice } from "@/components/object-page/no-project";
import type { Viewer } from "@/components/object-page/object-page";
import type { ListedProject } from "@/components/object-page/project-list-page";
import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useReadRows } from "@/components/queries/reads/use-read";
import { isWithoutAny } from "@/components/queries/states/read-state";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { PageHead } from "@/components/ui/page";
import { ProjectName } from "@/components/ui/text/project-name";
import { paths } from "@/lib/console/paths";
import { holdsInProject } from "@/lib/console/permissions-in";
import { buildExportUrl } from "@/lib/console/reads/reads";
import { isBatchFamily } from "@/lib/contract/calls/model-families";
import { batchStatuses } from "@/lib/contract/calls/task-statuses";
import { BatchList } from "./batch-list";
import { batchStatusStyles } from "./batch-status";

const CreateBatchDialog = loadOnClient(() =>
  import("./new-batch/create-batch-dialog").then((file) => file.CreateBatchDialog),
);

type BatchScreenProps = { project: ListedProject; viewer: Viewer };

/** The batches of one project, or of every one. */
export function BatchScreen({ project, viewer }: BatchScreenProps) {
  const [fileId, setFileId] = useUrlParameter("file");
  const { parameters, active } = useStatusModelFilter(project.id, batchStatuses);
  const isNone = isWithoutAny(useReadRows("listBatches", parameters), active.length > 0);
  const { id: projectId } = project;
  const mayCreateIn = (id: string) =>
    holdsInProject(viewer.held, id, "api.batches.write") &&
    holdsInProject(viewer.held, id, "api.files.write");
  const canCreate = projectId !== undefined && mayCreateIn(projectId);
  const dialog = useFormDialog("new-batch", canCreate);
  const createButton = canCreate ? (
    <CreateButton noun="batch" onClick={dialog.open} />
  ) : (
    projectId === undefined && (
      <CreateInProject projects={viewer.projects.filter(({ id }) => mayCreateIn(id))} />
    )
  );
  return (
    <>
      <PageHead
        title="Batches"
        sentence={
          <>
            Files of calls that are answered in the background for <ProjectName project={project} />.
          </>
        }
        action={
          !isNone && (
            <>
              <ExportMenu row="batch" buildHref={(form) => buildExportUrl("listBatches", parameters, form)} />
              {createButton}
            </>
          )
        }
      />
      <div className="grid gap-3">
        {!isNone && (
          <StatusModelFilters
            active={active}
            statuses={batchStatuses}
            styles={batchStatusStyles}
            isOffered={isBatchFamily}
          />
        )}
        <BatchList
          parameters={parameters}
          projects={viewer.projects}
          isFiltered={active.length > 0}
          createButton={createButton}
        />
      </div>
      {canCreate && projectId !== undefined && (dialog.isOpen || fileId !== "") && (
        <CreateBatchDialog
          projectId={projectId}
          fileId={fileId || null}
          close={() => {
            dialog.close();
            setFileId("");
          }}
        />
      )}
    </>
  );
}

/** Asks for the project of a new batch where those of every project are shown. */
function CreateInProject({ projects }: Pick<Viewer, "projects">) {
  if (projects.length === 0) return null;
  return (
    <ProjectChoice
      align="end"
      variant="primary"
      projects={projects}
      trigger={
        <>
          <Plus aria-hidden />
          Create batch
        </>
      }
      address={(id) => paths.batches(id, { open: "new-batch" })}
    />
  );
}
