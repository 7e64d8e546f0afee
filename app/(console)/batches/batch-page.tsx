"use client";

import { DetailState } from "@/components/object-page/detail-state";
import type { Viewer } from "@/components/object-page/viewer";
import type { ShownRead } from "@/components/queries/states/read-state";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { PageHead } from "@/components/ui/page-head";
import { paths } from "@/lib/console/paths";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { BatchStatus } from "./batch-status";
import { BatchView } from "./batch-view";
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

type BatchStateProps = { id: string; read: ShownRead<Batch>; viewer: Viewer };

/** Shows a batch, or the loading or error state of its read. */
function BatchState({ id, read, viewer }: BatchStateProps) {
  return (
    <DetailState id={id} read={read} noun="batch" list={{ href: paths.batches(), label: "View all batches" }}>
      {(batch) => <BatchView batch={batch} viewer={viewer} />}
    </DetailState>
  );
}
