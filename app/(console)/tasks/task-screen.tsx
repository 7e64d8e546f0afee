"use client";

import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { ExportMenu } from "@/components/table/export-menu";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { permissionsIn } from "@/lib/console/permissions-in";
import { exportUrl } from "@/lib/console/reads/reads";
import { seesOwnTasksOnly } from "./sees-own-tasks-only";
import { filterNames, taskParameters } from "./task-filter";
import { TaskFilters } from "./task-filters";
import { TaskList } from "./task-list";
import type { TaskViewer } from "./task-view";

// With server rendering, loading the dialog would replace the screen by its skeleton.
const CallbackSecretDialog = dynamic(
  () => import("./callback-secret-dialog").then((file) => file.CallbackSecretDialog),
  { ssr: false },
);

type TaskScreenProps = { project: { id: string; name: string }; viewer: TaskViewer };

/** The tasks of one project. */
export function TaskScreen({ project, viewer }: TaskScreenProps) {
  const search = useSearchParams();
  const given = (name: string) => search.get(name) ?? "";
  const [isSecretOpen, setIsSecretOpen] = useState(false);
  const held = viewer.held && permissionsIn(viewer.held, project.id);
  const mayWrite = held === null || held.includes("api.tasks.write");
  const isOwn = seesOwnTasksOnly(viewer, project.id);
  const parameters = taskParameters(project.id, given);
  const active = filterNames.filter((name) => given(name) !== "");
  return (
    <>
      <PageHead
        title="Tasks"
        sentence={
          isOwn
            ? `What image, video and music models make for you in ${project.name}.`
            : `Images, videos and music created for ${project.name}.`
        }
        action={
          <>
            {mayWrite && <Button onClick={() => setIsSecretOpen(true)}>Callback secret</Button>}
            <ExportMenu
              row="task"
              hrefOf={(form) => exportUrl(isOwn ? "listOwnTasks" : "listTasks", parameters, form)}
            />
          </>
        }
      />
      <div className="grid gap-3">
        <TaskFilters active={active} />
        <TaskList parameters={parameters} isFiltered={active.length > 0} viewer={viewer} isOwn={isOwn} />
      </div>
      {isSecretOpen && <CallbackSecretDialog project={project} close={() => setIsSecretOpen(false)} />}
    </>
  );
}
