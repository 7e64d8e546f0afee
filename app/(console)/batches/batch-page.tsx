"use client";

import type { Viewer } from "@/app/object-page/viewer";
import { PageCrumb } from "@/components/shell/page-crumb";
import { PageHead } from "@/components/ui/page-head";
import { BatchState } from "./batch-state";
import { useBatch } from "./use-batch";

/** The page of a batch. */
export function BatchPage({ id, viewer }: { id: string; viewer: Viewer }) {
  const batch = useBatch(id);
  return (
    <>
      <PageCrumb label={id} />
      <PageHead title="Batch" />
      <BatchState id={id} read={batch} viewer={viewer} />
    </>
  );
}
