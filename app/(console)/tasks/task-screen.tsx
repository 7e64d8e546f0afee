"use client";

import { useState } from "react";
import { StatusModelFilters, useStatusModelFilter } from "@/components/filters/status-model-filters";
import type { Viewer } from "@/components/object-page/object-page";
import type { ListedProject } from "@/components/object-page/project-list-page";
import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useReadRows } from "@/components/queries/reads/use-read";
import { isWithoutAny } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { PageHead } from "@/components/ui/page";
import { ProjectName } from "@/components/ui/text/project-name";
import { holdsInProject } from "@/lib/console/permissions-in";
import { buildExportUrl } from "@/lib/console/reads/reads";
import { isMediaFamily } from "@/lib/contract/calls/model-families";
import { taskStatuses } from "@/lib/contract/calls/task-statuses";
import { seesOwnTasksOnly } from "./sees-own-tasks-only";
import { TaskList } from "./task-list";
import { taskStatusStyles } from "./task-status";

const CallbackSecretDialog = loadOnClient(() =>
  import("./callback-secret-dialog").then((file) => file.CallbackSecretDialog),
);

type TaskScreenProps = { project: ListedProject; viewer: Viewer };

/** The tasks of one project, or of every one. */
export function TaskScreen({ project, viewer }: TaskScreenProps) {
  const [isSecretOpen, setIsSecretOpen] = useState(false);
  const { id: projectId } = project;
  const canWrite = projectId !== undefined && holdsInProject(viewer.held, projectId, "api.tasks.write");
  const isOwn = seesOwnTasksOnly(viewer, projectId);
  const { parameters, active } = useStatusModelFilter(projectId, taskStatuses);
  const read = isOwn ? "listOwnTasks" : "listTasks";
  const isNone = isWithoutAny(useReadRows(read, parameters), active.length > 0);
  return (
    <>
      <PageHead
        title="Tasks"
        sentence={
          isOwn ? (
            <>
              What image, video and music models make for you in <ProjectName project={project} />.
            </>
          ) : (
            <>
              Images, videos and music created for <ProjectName project={project} />.
            </>
          )
        }
        action={
          <>
            {canWrite && <Button onClick={() => setIsSecretOpen(true)}>Callback secret</Button>}
            {!isNone && (
              <ExportMenu row="task" buildHref={(form) => buildExportUrl(read, parameters, form)} />
            )}
          </>
        }
      />
      <div className="grid gap-3">
        {!isNone && (
          <StatusModelFilters
            active={active}
            statuses={taskStatuses}
            styles={taskStatusStyles}
            isOffered={isMediaFamily}
          />
        )}
        <TaskList parameters={parameters} isFiltered={active.length > 0} viewer={viewer} isOwn={isOwn} />
      </div>
      {isSecretOpen && projectId !== undefined && (
        <CallbackSecretDialog
          project={{ id: projectId, name: project.name }}
          close={() => setIsSecretOpen(false)}
        />
      )}
    </>
  );
}
