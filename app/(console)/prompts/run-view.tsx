"use client";

import { Download } from "lucide-react";
import { useId } from "react";
import { runRead } from "@/components/prompts/prompt-reads";
import { type Cell, formatCellKey, listCells } from "@/components/prompts/run-cells";
import { formatRunAsCsv, mergeResults, type Summary, summarize } from "@/components/prompts/summarize-run";
import { listHeldResults, type PromptRunning } from "@/components/prompts/use-run";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { downloadFile } from "@/components/ui/text/download-file";
import { formatExactTime } from "@/components/ui/time/describe-time";
import { useShownZone } from "@/components/ui/time/shown-time";
import { formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import type {
  PromptResult,
  PromptRun,
  PromptRunHead,
} from "@/lib/contract/operations/playground/prompt-runs";
import type { Prompt, PromptVersion } from "@/lib/contract/operations/playground/prompts";
import { ResultTable } from "./result-table";

type RunViewProps = {
  prompt: Prompt;
  runId: string;
  runs: readonly PromptRunHead[];
  versions: readonly PromptVersion[];
  running: PromptRunning;
  canRun: boolean;
  show: (runId: string) => void;
};

/** The results of a run: a summary of each version and model, and all answers side by side. */
export function RunView(props: RunViewProps) {
  const { prompt, runId, runs, running, show } = props;
  const id = useId();
  const zone = useShownZone();
  const [read, parameters] = runRead(prompt.project_id, prompt.id, runId);
  const run = useRead(read, parameters);
  return (
    <Section
      title="Results"
      actions={
        runs.length > 1 && (
          <div className="flex items-center gap-2">
            <label htmlFor={id} className="text-sm">
              Run
            </label>
            <select
              id={id}
              value={runId}
              disabled={running.progress !== null}
              onChange={(event) => show(event.target.value)}
              className="field h-9 w-auto max-w-60 pointer-coarse:h-11"
            >
              {runs.map((one) => (
                <option key={one.id} value={one.id}>
                  {formatExactTime(one.created_at, zone)} · {one.author.name}
                </option>
              ))}
            </select>
          </div>
        )
      }
    >
      <ReadState read={run} to="show the run" skeleton={<TableSkeleton rows={4} columns={5} />}>
        {(found) => <Results {...props} run={found} />}
      </ReadState>
    </Section>
  );
}

function Results({ prompt, run, versions, running, canRun }: RunViewProps & { run: PromptRun }) {
  const { progress } = running;
  const results = mergeResults(run.results, listHeldResults(running, run.id));
  const missing = missingCells(run, results, versions);
  return (
    <div className="grid gap-6">
      <SummaryTable run={run} results={results} />
      <div className="flex flex-wrap gap-2">
        <Button
          disabled={results.length === 0}
          onClick={() => downloadFile(`${prompt.name}.csv`, "text/csv", formatRunAsCsv(run, results))}
        >
          <Download aria-hidden />
          CSV
        </Button>
        {canRun && run.is_own && progress === null && missing.length > 0 && (
          <Button onClick={() => void running.start(run.id, missing)}>
            Run the {missing.length} that did not finish
          </Button>
        )}
      </div>
      <ResultTable run={run} results={results} isRunning={progress?.runId === run.id} />
    </div>
  );
}

function missingCells(
  run: PromptRun,
  results: readonly PromptResult[],
  versions: readonly PromptVersion[],
): Cell[] {
  const finished = new Set(
    results
      .filter(({ state }) => state === "finished")
      .map((one) => formatCellKey(one.prompt_version, one.case, one.model)),
  );
  const ofRun = versions.filter(({ number }) => run.versions.includes(number)).toReversed();
  return listCells(run.cases, ofRun, run.models).filter(
    ({ version, caseIndex, model }) => !finished.has(formatCellKey(version, caseIndex, model)),
  );
}

/** Shows the summary of each version with each model. */
function SummaryTable({ run, results }: { run: PromptRun; results: readonly PromptResult[] }) {
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
