"use client";

import { Rows4 } from "lucide-react";
import type { ReactNode } from "react";
import type { Viewer } from "@/components/object-page/object-page";
import { projectColumn } from "@/components/object-page/project-column";
import { useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { PagedTable } from "@/components/ui/table/paged-table";
import { ClockTime } from "@/components/ui/time/clock-time";
import { Money } from "@/components/ui/values/money";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import type { ReadParameters } from "@/lib/console/reads/reads";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { POLL_MS } from "./batch-page";
import { BatchStatus } from "./batch-status";

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

function batchColumns(currency: string | undefined): readonly Column<Batch>[] {
  return [
    {
      id: "time",
      header: "Created",
      apiName: "created_at",
      width: "w-36",
      cell: ({ created_at }) => <ClockTime at={created_at} />,
    },
    {
      id: "model",
      header: "Model",
      apiName: "model",
      cell: ({ model }) => <code className="font-mono text-sm wrap-anywhere">{model}</code>,
    },
    {
      id: "status",
      header: "Status",
      apiName: "status",
      width: "w-40",
      phone: "end",
      cell: (batch) => <BatchStatus batch={batch} />,
    },
    {
      id: "lines",
      header: "Lines",
      apiName: "request_counts.total",
      width: "w-24",
      numeric: true,
      cell: ({ request_counts }) => <Quantity value={request_counts.total} />,
    },
    {
      id: "failed",
      header: "Failed",
      apiName: "request_counts.failed",
      width: "w-24",
      numeric: true,
      cell: ({ request_counts: { failed } }) => (
        <span className={failed > 0 ? "text-danger" : "text-muted"}>
          <Quantity value={failed} />
        </span>
      ),
    },
    {
      id: "tokens",
      header: "Input tokens",
      apiName: "usage.input_tokens",
      width: "w-32",
      numeric: true,
      wide: true,
      cell: ({ usage }) => <Quantity value={usage.input_tokens} />,
    },
    {
      id: "charge",
      header: "Charged",
      apiName: "amount",
      unit: currency,
      width: "w-36",
      numeric: true,
      amount: ({ amount }) => amount,
      cell: ({ amount }) => (amount ? <Money amount={amount} /> : <span className="text-muted">–</span>),
    },
  ];
}
