"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { downloadFile } from "@/components/ui/text/download-file";
import { DateTime } from "@/components/ui/time/date-time";
import { countChanges } from "@/lib/contract/operations/configuration/change-words";
import type {
  ConfigurationApplication,
  ConfigurationPlan,
} from "@/lib/contract/operations/configuration/configuration";
import { exportConfiguration, planConfiguration } from "./actions";
import { AppliedList } from "./applied-list";
import { AppliedNotice } from "./applied-notice";
import { ApplyBar } from "./apply-bar";
import { FilePane } from "./file-pane";
import { type ConfigurationText, FileSource } from "./file-source";
import type { Choices } from "./plan-choices";
import { PlanView } from "./plan-view";

/** By its name or, where it was pasted, by its first line, which names columns. */
const isCsv = ({ name, text }: ConfigurationText) =>
  /\.(csv|tsv)$/i.test(name) || /^[^\n:{[#]*[,;\t][^\n:{[]*(\n|$)/.test(text);

const noFile: ConfigurationText = { name: "gatehouse.yaml", text: "" };

/** What is set as a file: exported, planned against what there is, applied and undone. */
export function ConfigurationScreen({ seesApplied }: { seesApplied: boolean }) {
  const [file, setFile] = useState(noFile);
  const [chosen, setChosen] = useState<Choices>(new Set());
  const [applied, setApplied] = useState<ConfigurationApplication | null>(null);
  const planning = useAction(planConfiguration, { onSuccess: () => setChosen(new Set()) });
  const plan = planning.data;
  const makePlan = () => {
    setApplied(null);
    planning.mutate(isCsv(file) ? { csv: file.text } : { file: file.text });
  };
  const problem = planning.error?.problem;
  if (!plan) {
    return (
      <Page>
        <PageHead
          title="Configuration"
          sentence="All settings as one file. Preview what a file would change, then apply all of it or nothing."
          action={<ExportButtons />}
        />
        <div className="grid gap-8">
          {applied && <AppliedNotice applied={applied} />}
          {problem && Object.keys(problem.fields).length === 0 && (
            <Notice tone="bad" role="alert">
              {problem.message}
            </Notice>
          )}
          <FileSource
            file={file}
            setFile={setFile}
            plan={makePlan}
            isPending={planning.isPending}
            error={problem?.fields.file ?? problem?.fields.csv}
          />
          {seesApplied && <AppliedList />}
        </div>
      </Page>
    );
  }
  return (
    <PlanScreen
      file={file}
      plan={plan}
      chosen={chosen}
      setChosen={setChosen}
      isPlanning={planning.isPending}
      planAgain={makePlan}
      leave={planning.reset}
      onApplied={(done) => {
        setApplied(done);
        planning.reset();
      }}
    />
  );
}

type PlanScreenProps = {
  file: ConfigurationText;
  plan: ConfigurationPlan;
  chosen: Choices;
  setChosen: (chosen: Choices) => void;
  isPlanning: boolean;
  planAgain: () => void;
  leave: () => void;
  onApplied: (applied: ConfigurationApplication) => void;
};

/** A plan beside its file, and what applies it. */
function PlanScreen(props: PlanScreenProps) {
  const { file, plan, chosen, setChosen, isPlanning, planAgain, leave, onApplied } = props;
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  return (
    <div className="grid lg:h-[calc(100dvh-var(--above))] lg:grid-cols-[minmax(0,1fr)_minmax(0,476px)]">
      <div className="flex min-h-0 min-w-0 flex-col">
        <div className="min-h-0 flex-1 px-4 py-4 sm:px-6 lg:overflow-y-auto">
          <PageHead
            title={countChanges(plan.changes)}
            sentence="Between the file, what was last applied, and what runs now."
            action={
              <>
                <Button onClick={leave}>Another file</Button>
                <Button pending={isPlanning} onClick={planAgain}>
                  Plan again
                </Button>
              </>
            }
          />
          <div className="grid gap-3">
            <PlanSources name={file.name} plan={plan} />
            <PlanView plan={plan} chosen={chosen} choose={choose} />
          </div>
        </div>
        <ApplyBar plan={plan} chosen={chosen} planAgain={planAgain} onApplied={onApplied} />
      </div>
      <FilePane name={file.name} text={file.text} plan={plan} chosen={chosen} />
    </div>
  );
}

/** Downloads what is set. */
function ExportButtons() {
  const exporting = useAction(exportConfiguration);
  const save = (form: "yaml" | "json") =>
    exporting.mutate(
      {},
      {
        onSuccess: ({ file, content }) =>
          form === "yaml"
            ? downloadFile("gatehouse.yaml", "text/yaml", file)
            : downloadFile("gatehouse.json", "application/json", JSON.stringify(content, null, 2)),
      },
    );
  return (
    <>
      {exporting.error && <p className="text-sm text-danger">{exporting.error.problem.message}</p>}
      <Button pending={exporting.isPending} onClick={() => save("yaml")}>
        <Download aria-hidden />
        YAML
      </Button>
      <Button pending={exporting.isPending} onClick={() => save("json")}>
        <Download aria-hidden />
        JSON
      </Button>
    </>
  );
}

/** The three sides that a plan compares. */
function PlanSources({ name, plan }: { name: string; plan: ConfigurationPlan }) {
  const { id, created_at: at, last_applied: last } = plan;
  return (
    <Card flush>
      <dl className="grid text-sm sm:grid-cols-3 [&>div]:px-3.5 [&>div]:py-2 [&>div+div]:max-sm:border-t sm:[&>div+div]:border-l">
        <div>
          <dt className="text-xs text-muted">File</dt>
          <dd className="font-mono wrap-anywhere">{name}</dd>
        </div>
        <div>
          <dt className="text-xs text-muted">Plan</dt>
          <dd className="font-mono text-xs wrap-anywhere">{id}</dd>
          <dd className="text-xs text-muted">
            <DateTime at={at} />
          </dd>
        </div>
        <div>
          <dt className="text-xs text-muted">Last applied</dt>
          <dd>{last ? last.name : "Never: all that differs counts as changed in the file"}</dd>
          {last && (
            <dd className="text-xs text-muted">
              <DateTime at={last.at} />
            </dd>
          )}
        </div>
      </dl>
    </Card>
  );
}
