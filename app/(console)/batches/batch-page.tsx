"use client";

import type { Viewer } from "@/components/object-page/viewer";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { PageHead } from "@/components/ui/page-head";
import { BatchState } from "./batch-state";
import { BatchStatus } from "./batch-status";
import { describeBatch } from "./describe-batch";
import { useBatch } from "./use-batch";

/** The page of a batch. */
export function BatchPage({ id, viewer }: { id: string; viewer: Viewer }) {
  const batch = useBatch(id);
  return (
    <>
      <PageCrumb label={id} />
      <PageHead
        title="Batch"
        sentence={batch.data && describeBatch(batch.data)}
        beside={batch.data && <BatchStatus batch={batch.data} />}
      />
      <BatchState id={id} read={batch} viewer={viewer} />
    </>
  );
}
