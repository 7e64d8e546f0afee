"use client";

import { DetailState } from "@/components/object-page/detail-state";
import type { Viewer } from "@/components/object-page/object-page";
import { useRead } from "@/components/queries/reads/use-read";
import type { ShownRead } from "@/components/queries/states/read-state";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { PageHead } from "@/components/ui/page";
import { paths } from "@/lib/console/paths";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { BatchStatus, describeBatch } from "./batch-status";
import { BatchView } from "./batch-view";

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

/** Polling interval for unfinished batches while the page is visible. */
export const POLL_MS = 1_000;

/** Reads a batch and polls until it has ended. */
function useBatch(id: string) {
  const batch = useRead("retrieveBatch", { batch_id: id });
  const isUnderWay = batch.data?.finalizing_at === null;
  useRead("retrieveBatch", { batch_id: id }, { enabled: isUnderWay, refetchInterval: POLL_MS });
  return batch;
}
