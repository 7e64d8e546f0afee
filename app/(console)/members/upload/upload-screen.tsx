"use client";

import { useState } from "react";
import { AppliedNotice } from "@/components/configuration/applied-notice";
import { type ConfigurationText, FileSource, type FileWords } from "@/components/configuration/file-source";
import { PlanScreen } from "@/components/configuration/plan-screen";
import type { ShownPlan } from "@/components/configuration/shown-plan";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { Page, PageHead } from "@/components/ui/page";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { AppliedConfiguration } from "@/lib/contract/operations/configuration/configuration";

const words: FileWords = {
  label: "Members as CSV",
  help: "Drop a file here, choose one, or paste it. Columns: email, role, groups, projects. An empty cell changes nothing, “none” empties it. New people are invited; nobody is removed.",
  placeholder:
    "email,role,groups,projects\nada@example.com,Reader,Leads; Testers,Support bot: Project member; Search: Testers",
  accept: ".csv,.tsv,text/csv,text/tab-separated-values",
  isCsv: true,
};

/** Members of a CSV: planned, and then invited and changed, all or none. */
export function UploadScreen({ consoleOrigin }: { consoleOrigin: string | null }) {
  const [file, setFile] = useState<ConfigurationText>({ name: "members.csv", text: "" });
  const [shown, setShown] = useState<ShownPlan | null>(null);
  const [applied, setApplied] = useState<AppliedConfiguration | null>(null);
  if (shown)
    return (
      <PlanScreen
        shown={shown}
        setShown={setShown}
        leave={() => setShown(null)}
        onApplied={(done) => {
          setApplied(done);
          setShown(null);
          setFile({ name: "members.csv", text: "" });
        }}
      />
    );
  return (
    <Page>
      <PageHead
        title="Upload members"
        sentence="Invite people and change roles, groups and projects from a spreadsheet. Preview every change, then apply all of them or none."
        action={<CsvLink href={buildExportUrl("listUsers")} />}
      />
      <div className="grid gap-8">
        {applied && <AppliedNotice applied={applied} consoleOrigin={consoleOrigin} />}
        <FileSource
          words={words}
          file={file}
          setFile={setFile}
          onPlanned={(plan) => {
            setApplied(null);
            setShown(plan);
          }}
        />
      </div>
    </Page>
  );
}
