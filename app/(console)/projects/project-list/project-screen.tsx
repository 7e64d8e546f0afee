"use client";

import { bySpent } from "@/components/money/project-summary-reads";
import { ProjectSummaryTable } from "@/components/money/project-summary-table";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { PageHead } from "@/components/ui/page";
import { paths } from "@/lib/console/paths";

const CreateProjectDialog = loadOnClient(() =>
  import("./create-project-dialog").then((file) => file.CreateProjectDialog),
);

type ProjectScreenProps = {
  currency: string;
  may: { create: boolean; setLimits: boolean; archive: boolean };
};

/** All projects with what this month came to. */
export function ProjectScreen({ currency, may }: ProjectScreenProps) {
  const dialog = useFormDialog("new-project", may.create);
  return (
    <>
      <PageHead
        title="Projects"
        sentence="Each has its own keys and limits; all share one balance. Figures are of this calendar month (UTC), the forecast at the pace of the last 7 days."
        action={may.create && <CreateButton noun="project" onClick={dialog.open} />}
      />
      <ProjectSummaryTable
        subject="projects"
        currency={currency}
        usual={bySpent}
        rowHref={({ id }) => paths.project(id)}
        may={may}
      />
      {dialog.isOpen && <CreateProjectDialog close={dialog.close} />}
    </>
  );
}
