import type { Column } from "@/components/ui/table/column";
import { ClockTime } from "@/components/ui/time/clock-time";
import { Money } from "@/components/ui/values/money";
import { Quantity } from "@/components/ui/values/quantity";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { BatchStatus } from "./batch-status";

export function batchColumns(currency: string | undefined): readonly Column<Batch>[] {
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
