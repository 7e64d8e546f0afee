"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { exportConfiguration } from "@/components/configuration/actions";
import { AppliedNotice } from "@/components/configuration/applied-notice";
import { type ConfigurationText, FileSource, type FileWords } from "@/components/configuration/file-source";
import { PlanScreen } from "@/components/configuration/plan-screen";
import type { ShownPlan } from "@/components/configuration/shown-plan";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { useUrlParameter } from "@/components/ui/filters/use-url-parameter";
import { TabLinks } from "@/components/ui/links/tab-links";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { downloadFile } from "@/components/ui/text/download-file";
import { paths } from "@/lib/console/paths";
import type { AppliedConfiguration } from "@/lib/contract/operations/configuration/configuration";
import { AppliedList } from "./applied-list";
import { OPENAI_URL, OpenaiSource } from "./openai-source";
import { PastSource } from "./past-source";

const fileWords: FileWords = {
  label: "Configuration file",
  help: "Drop a file here, choose one, or paste it: YAML or JSON, complete or in part, or an exported CSV of limits, models or members. What it leaves out stays as it is.",
  placeholder:
    "projects:\n  - name: Support bot\n    rate_limits:\n      gpt-5-mini: { max_requests_per_1_minute: 900 }",
  accept: ".yaml,.yml,.json,.csv,.tsv,text/yaml,application/json,text/csv",
  beginsWithNow: true,
};

type ConfigurationScreenProps = {
  /** Whether the person may see the audit log, and so what was set before. */
  seesLog: boolean;
  consoleOrigin: string | null;
  /** Unix seconds. */
  openedAt: number;
};

/** What is set: as a file, brought from an OpenAI organization, or as it was; planned, applied and undone. */
export function ConfigurationScreen({ seesLog, consoleOrigin, openedAt }: ConfigurationScreenProps) {
  const [source] = useUrlParameter("source");
  const [file, setFile] = useState<ConfigurationText>({ name: "gatehouse.yaml", text: "" });
  const [address, setAddress] = useState(OPENAI_URL);
  const [shown, setShown] = useState<ShownPlan | null>(null);
  const [applied, setApplied] = useState<AppliedConfiguration | null>(null);
  const show = (plan: ShownPlan) => {
    setApplied(null);
    setShown(plan);
  };
  if (shown)
    return (
      <PlanScreen
        shown={shown}
        setShown={setShown}
        leave={() => setShown(null)}
        onApplied={(done) => {
          setApplied(done);
          setShown(null);
        }}
      />
    );
  const tabs = [
    { id: "", label: "File", href: paths.configuration() },
    { id: "openai", label: "OpenAI organization", href: paths.configuration({ source: "openai" }) },
    ...(seesLog ? [{ id: "past", label: "As it was", href: paths.configuration({ source: "past" }) }] : []),
  ];
  const current = tabs.some(({ id }) => id === source) ? source : "";
  return (
    <Page>
      <PageHead
        title="Configuration"
        sentence="All settings as one file. Preview what a change would do, then apply all of it or nothing."
        action={<ExportButtons />}
      />
      <TabLinks label="Source" tabs={tabs} current={current} />
      <div className="grid gap-8">
        {applied && <AppliedNotice applied={applied} consoleOrigin={consoleOrigin} />}
        {current === "openai" && <OpenaiSource address={address} setAddress={setAddress} onPlanned={show} />}
        {current === "past" && <PastSource openedAt={openedAt} onPlanned={show} />}
        {current === "" && <FileSource words={fileWords} file={file} setFile={setFile} onPlanned={show} />}
        {seesLog && current !== "past" && <AppliedList />}
      </div>
    </Page>
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
