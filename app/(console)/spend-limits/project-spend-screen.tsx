"use client";

import { FolderX } from "lucide-react";
import { useRead } from "@/components/queries/reads/use-read";
import { ObjectState } from "@/components/queries/states/object-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { TextLink } from "@/components/ui/links/text-link";
import { Page, PageHead } from "@/components/ui/page";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { ProjectName } from "@/components/ui/text/project-name";
import { paths } from "@/lib/console/paths";
import { type HeldPermissions, holdsInProject } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";
import { SpendSections } from "./spend-sections";
import { SpendSkeleton } from "./spend-skeleton";

type ProjectSpendScreenProps = {
  projectId: string;
  currency: string;
  /** Null if the gateway doesn't report permissions. */
  held: HeldPermissions | null;
  monthStart: number;
};

/** The spend limit of one project, its alerts and those that fired. */
export function ProjectSpendScreen({ projectId, currency, held, monthStart }: ProjectSpendScreenProps) {
  const project = useRead("retrieveProject", { project_id: projectId });
  return (
    <ObjectState
      read={project}
      object={project.data}
      to="show the project"
      skeleton={
        <Page>
          <SpendSkeleton />
        </Page>
      }
      unknown={<UnknownObject noun="project" id={projectId} icon={FolderX} list={paths.spendLimits()} />}
    >
      {(one) => {
        // Nothing of an archived project is changed any more.
        const may = (permission: Permission) =>
          holdsInProject(held, projectId, permission) &&
          !(one.status === "archived" && permission.endsWith(".write"));
        return (
          <Page>
            <PageHead
              title="Spend limit"
              sentence={
                <>
                  What project{" "}
                  <TextLink href={paths.project(projectId)} className="underline">
                    <ProjectName project={one} />
                  </TextLink>{" "}
                  may cost in a month. The organization’s limit and the balance hold as well.{" "}
                  <TextLink href={paths.spendLimits()} className="underline">
                    All projects
                  </TextLink>
                </>
              }
            />
            <StaleNotice read={project} />
            <SpendSections
              project={one}
              currency={currency}
              may={may}
              monthStart={monthStart}
              projects={[one]}
            />
          </Page>
        );
      }}
    </ObjectState>
  );
}
