"use client";

import { DetailState } from "@/components/object-page/detail-state";
import type { Viewer } from "@/components/object-page/viewer";
import type { ShownRead } from "@/components/queries/states/read-state";
import { paths } from "@/lib/console/paths";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { BatchView } from "./batch-view";

type BatchStateProps = { id: string; read: ShownRead<Batch>; viewer: Viewer };

/** Shows a batch, or the loading or error state of its read. */
export function BatchState({ id, read, viewer }: BatchStateProps) {
  return (
    <DetailState id={id} read={read} noun="batch" list={{ href: paths.batches(), label: "View all batches" }}>
      {(batch) => <BatchView batch={batch} viewer={viewer} />}
    </DetailState>
  );
}
