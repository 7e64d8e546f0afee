import { type Summary, summarize } from "@/components/prompts/summarize-run";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import type { PromptResult, PromptRun } from "@/lib/contract/operations/playground/prompt-runs";

/** Shows the summary of each version with each model. */
export function SummaryTable({ run, results }: { run: PromptRun; results: readonly PromptResult[] }) {
  return (
    <DataTable
      caption="Each version with each model"
      columns={buildColumns(run.currency)}
      rows={summarize(run, results)}
      rowId={({ version, model }) => `${version} ${model}`}
    />
  );
}

const buildColumns = (currency: string): readonly Column<Summary>[] => [
  {
    id: "model",
    header: "Model",
    phone: "title",
    cell: ({ model }) => <code className="font-mono text-sm wrap-anywhere">{model}</code>,
  },
  { id: "version", header: "Version", numeric: true, width: "w-24", cell: ({ version }) => version },
  {
    id: "passed",
    header: "Passed",
    numeric: true,
    width: "w-28",
    phone: "end",
    cell: ({ passed, calls }) => `${passed} of ${calls}`,
  },
  { id: "failed", header: "Failed checks", numeric: true, width: "w-32", cell: ({ failed }) => failed },
  {
    id: "unanswered",
    header: "Not answered",
    numeric: true,
    width: "w-32",
    cell: ({ unanswered }) => unanswered,
  },
  {
    id: "cost",
    header: "Cost",
    unit: currency,
    numeric: true,
    width: "w-36",
    amount: ({ amount }) => amount,
    cell: ({ amount }) => <Money amount={amount} />,
  },
  {
    id: "latency",
    header: "Median duration",
    unit: "ms",
    numeric: true,
    width: "w-40",
    cell: ({ medianMs }) => (medianMs === null ? "–" : formatCount(medianMs)),
  },
];
