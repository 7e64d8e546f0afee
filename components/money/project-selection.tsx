"use client";

import { Archive, Copy, Gauge } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog/confirm-dialog";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { toast } from "@/components/ui/dialog/toast";
import { SelectionBar } from "@/components/ui/table/use-row-selection";
import { copyOutcomes, copyText } from "@/components/ui/text/copy-text";
import { formatCount } from "@/components/ui/values/group-digits";
import type { ProjectSummary } from "@/lib/contract/operations/projects/project-summaries";
import { archiveProjects } from "./many-projects-actions";

const ManyLimitsDialog = loadOnClient(() =>
  import("./many-limits-dialog").then((file) => file.ManyLimitsDialog),
);

/** What the person may do with the chosen projects. */
export type ProjectActions = { setLimits: boolean; archive: boolean };

type ProjectSelectionProps = {
  projects: readonly ProjectSummary[];
  may: ProjectActions;
  currency: string;
  clear: () => void;
};

/** What can be done with several projects at once. */
export function ProjectSelection({ projects, may, currency, clear }: ProjectSelectionProps) {
  const [asks, setAsks] = useState<"limits" | "archive" | null>(null);
  const isArchived = projects.some(({ status }) => status === "archived");
  async function copyIds() {
    const isCopied = await copyText(projects.map(({ id }) => id).join("\n"));
    toast({
      message: copyOutcomes[isCopied ? "copied" : "refused"],
      ...(!isCopied && { tone: "bad" as const }),
    });
  }
  const close = () => setAsks(null);
  return (
    <>
      <SelectionBar count={projects.length} noun="project" clear={clear}>
        {may.setLimits && !isArchived && (
          <Button onClick={() => setAsks("limits")}>
            <Gauge aria-hidden />
            Set spend limit
          </Button>
        )}
        <Button onClick={() => void copyIds()}>
          <Copy aria-hidden />
          Copy ids
        </Button>
        {may.archive && !isArchived && (
          <Button onClick={() => setAsks("archive")}>
            <Archive aria-hidden />
            Archive
          </Button>
        )}
      </SelectionBar>
      {asks === "limits" && (
        <ManyLimitsDialog projects={projects} currency={currency} close={close} done={clear} />
      )}
      {asks === "archive" && <ArchiveQuestion projects={projects} close={close} done={clear} />}
    </>
  );
}

type QuestionProps = { projects: readonly ProjectSummary[]; close: () => void; done: () => void };

function ArchiveQuestion({ projects, close, done }: QuestionProps) {
  const run = useAction(archiveProjects, {
    refetch: ["listProjectSummaries", "listProjects", "retrieveProject"],
    onSuccess: (outcome) => {
      toast(describeMany(outcome, "archived", projects));
      close();
      done();
    },
  });
  const [first] = projects;
  const name = projects.length === 1 && first ? first.name : `${formatCount(projects.length)} projects`;
  const keys = projects.reduce((sum, project) => sum + (project.keys ?? 0), 0);
  return (
    <ConfirmDialog
      open
      onClose={close}
      onConfirm={() => run.mutate({ projects: projects.map(({ id }) => ({ id })) })}
      title={projects.length === 1 ? `Archive the project “${name}”?` : `Archive ${name}?`}
      confirmLabel={projects.length === 1 ? "Archive project" : `Archive ${name}`}
      typeToConfirm={name}
      pending={run.isPending}
      error={run.error?.problem.message}
    >
      <p>Calls to them are refused at once. Archiving can’t be undone.</p>
      {keys > 0 && (
        <p className="mt-2">
          {formatCount(keys)} {keys === 1 ? "key is" : "keys are"} revoked.
        </p>
      )}
      <p className="mt-2">Past usage stays in the ledger and in the request log.</p>
    </ConfirmDialog>
  );
}

/** Returns what is said after a change of many projects: those that were refused by name. */
export function describeMany(
  { done, refused }: { done: number; refused: readonly { id: string; message: string }[] },
  verb: string,
  projects: readonly ProjectSummary[],
) {
  const count = `${formatCount(done)} ${done === 1 ? "project" : "projects"} ${verb}`;
  const [first] = refused;
  if (!first) return { message: count };
  const name = projects.find(({ id }) => id === first.id)?.name ?? first.id;
  const others = refused.length > 1 ? ` and ${formatCount(refused.length - 1)} more` : "";
  return { tone: "bad" as const, message: `${count}, but not “${name}”${others}: ${first.message}` };
}
