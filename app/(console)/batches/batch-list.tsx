"use client";

import { Rows4 } from "lucide-react";
import type { ReactNode } from "react";
import { projectColumn } from "@/components/object-page/project-column";
import type { Viewer } from "@/components/object-page/viewer";
import { useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { PagedTable } from "@/components/ui/table/paged-table";
import { paths } from "@/lib/console/paths";
import type { ReadParameters } from "@/lib/console/reads/reads";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { batchColumns } from "./batch-columns";
import { POLL_MS } from "./use-batch";

type BatchListProps = {
  parameters: ReadParameters;
  projects: Viewer["projects"];
  isFiltered: boolean;
  createButton: ReactNode;
};

/** Batches, newest first. Polls while one of them is under way. */
export function BatchList({ parameters, projects, isFiltered, createButton }: BatchListProps) {
  const batches = useReadRows("listBatches", parameters);
  const isUnderWay = batches.data?.some(({ finalizing_at: endedAt }) => endedAt === null) ?? false;
  useReadRows("listBatches", parameters, { enabled: isUnderWay, refetchInterval: POLL_MS });
  return (
    <ReadState
      read={batches}
      to="list the batches"
      skeleton={<TableSkeleton rows={12} columns={7} />}
      empty={
        isFiltered ? (
          <EmptyState icon={Rows4} title="No batch fits these filters">
            Remove a filter.
          </EmptyState>
        ) : (
          <EmptyState
            icon={Rows4}
            title="No batches yet"
            action={createButton}
            example={
              <code className="font-mono text-sm wrap-anywhere">
                {'{"custom_id": "1", "method": "POST", "url": "/v1/chat/completions", "body": {…}}'}
              </code>
            }
          >
            A batch answers a file of calls in the background within 24 hours, with lower priority than live
            calls. Each line of the file is one call.
          </EmptyState>
        )
      }
    >
      {(rows) => (
        <PagedTable
          read={batches}
          noun="batch"
          plural="batches"
          caption="Batches, newest first"
          columns={[
            ...(parameters.project_id ? [] : [projectColumn<Batch>(projects)]),
            ...batchColumns(rows[0]?.currency),
          ]}
          rows={rows}
          rowId={({ id }) => id}
          rowHref={({ id }) => paths.batch(id)}
        />
      )}
    </ReadState>
  );
}
