"use client";

import { useSearchParams } from "next/navigation";
import { ExportMenu } from "@/components/table/export-menu";
import { PageHead } from "@/components/ui/page-head";
import { exportUrl } from "@/lib/console/reads/reads";
import { filterNames, taskParameters } from "./task-filter";
import { TaskFilters } from "./task-filters";
import { TaskList } from "./task-list";
import type { TaskViewer } from "./task-view";

type TaskScreenProps = { project: { id: string; name: string }; viewer: TaskViewer };

/** The tasks of one project. */
export function TaskScreen({ project, viewer }: TaskScreenProps) {
  const search = useSearchParams();
  const given = (name: string) => search.get(name) ?? "";
  const parameters = taskParameters(project.id, given);
  const asked = filterNames.filter((name) => given(name) !== "");
  return (
    <>
      <PageHead
        title="Tasks"
        sentence={`What the image, video and music models make for ${project.name}.`}
        action={<ExportMenu row="task" hrefOf={(form) => exportUrl("listTasks", parameters, form)} />}
      />
      <div className="grid gap-3">
        <TaskFilters asked={asked} />
        <TaskList parameters={parameters} isFiltered={asked.length > 0} viewer={viewer} />
      </div>
    </>
  );
}
