"use client";

import { PageCrumb } from "@/components/shell/page-crumb";
import { PageHead } from "@/components/ui/page-head";
import type { TaskViewer } from "../tasks/task-view";
import { BatchState } from "./batch-state";
import { useBatch } from "./use-batch";

/** The page of a batch. */
export function BatchPage({ id, viewer }: { id: string; viewer: TaskViewer }) {
  const batch = useBatch(id);
  return (
    <>
      <PageCrumb label={id} />
      <PageHead title="Batch" />
      <BatchState id={id} read={batch} viewer={viewer} />
    </>
  );
}
