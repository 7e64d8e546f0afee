"use client";

import { Folder } from "lucide-react";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { isEmpty, ReadState } from "@/components/queries/states/read-state";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useUrlParameter } from "@/components/ui/filters/use-url-parameter";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { PageHead } from "@/components/ui/page-head";
import { EmptyState } from "@/components/ui/states/empty-state";
import { ProjectList } from "./project-list";
import { parseProjectStatus, projectsRead } from "./project-list-reads";
import { ProjectListSkeleton } from "./project-list-skeleton";

const CreateProjectDialog = loadOnClient(() =>
  import("./create-project-dialog").then((file) => file.CreateProjectDialog),
);

export function ProjectScreen({ canCreate }: { canCreate: boolean }) {
  const status = parseProjectStatus(useUrlParameter("status")[0]);
  const read = projectsRead(status);
  const projects = useRead(...read);
  const further = useFurtherRows(read, projects.data);
  const dialog = useFormDialog("new-project", canCreate);
  const createButton = canCreate && <CreateButton noun="project" onClick={dialog.open} />;
  return (
    <>
      <PageHead
        title="Projects"
        sentence="Each project has its own keys and rate limits, and each charge names its project. All projects share one balance."
        action={!isEmpty(projects.data) && createButton}
      />
      <ReadState
        read={projects}
        to="list the projects"
        skeleton={<ProjectListSkeleton />}
        empty={
          <EmptyState
            icon={Folder}
            title="No projects yet"
            action={createButton}
            example="For example “checkout” or “research”."
          >
            Keys belong to a project, and rate limits hold for one. Create the first.
          </EmptyState>
        }
      >
        {({ data }) => (
          <ProjectList
            projects={status === "archived" ? data.filter((project) => project.status === "archived") : data}
            status={status}
            further={further}
          />
        )}
      </ReadState>
      {dialog.isOpen && <CreateProjectDialog close={dialog.close} />}
    </>
  );
}
