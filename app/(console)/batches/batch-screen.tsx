"use client";

import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useReopen } from "@/components/form/draft-scope";
import { ExportMenu } from "@/components/table/export-menu";
import { useUrlParameter } from "@/components/table/use-url-parameter";
import { PageHead } from "@/components/ui/page-head";
import { permissionsIn } from "@/lib/console/permissions-in";
import { exportUrl } from "@/lib/console/reads/reads";
import { CreateButton } from "../create-button";
import type { TaskViewer } from "../tasks/task-view";
import { batchParameters, filterNames } from "./batch-filter";
import { BatchFilters } from "./batch-filters";
import { BatchList } from "./batch-list";

// With server rendering, loading the dialog would replace the screen by its skeleton.
const CreateBatchDialog = dynamic(
  () => import("./create-batch-dialog").then((file) => file.CreateBatchDialog),
  { ssr: false },
);

type BatchScreenProps = { project: { id: string; name: string }; viewer: TaskViewer };

/** The batches of one project. */
export function BatchScreen({ project, viewer }: BatchScreenProps) {
  const search = useSearchParams();
  const [fileId, setFileId] = useUrlParameter("file");
  const [isCreating, setIsCreating] = useState(false);
  const given = (name: string) => search.get(name) ?? "";
  const parameters = batchParameters(project.id, given);
  const active = filterNames.filter((name) => given(name) !== "");
  const held = viewer.held === null ? null : permissionsIn(viewer.held, project.id);
  const mayCreate = held === null || (held.includes("api.batches.write") && held.includes("api.files.write"));
  useReopen("new-batch", () => setIsCreating(mayCreate));
  const createButton = mayCreate && <CreateButton noun="batch" onClick={() => setIsCreating(true)} />;
  return (
    <>
      <PageHead
        title="Batches"
        sentence={`Files of calls that are answered in the background for ${project.name}.`}
        action={
          <>
            <ExportMenu row="batch" hrefOf={(form) => exportUrl("listBatches", parameters, form)} />
            {createButton}
          </>
        }
      />
      <div className="grid gap-3">
        <BatchFilters active={active} />
        <BatchList parameters={parameters} isFiltered={active.length > 0} createButton={createButton} />
      </div>
      {mayCreate && (isCreating || fileId !== "") && (
        <CreateBatchDialog
          projectId={project.id}
          fileId={fileId || null}
          close={() => {
            setIsCreating(false);
            setFileId("");
          }}
        />
      )}
    </>
  );
}
