"use client";

import { FolderX } from "lucide-react";
import { HistoryLink } from "@/components/object-page/history-link";
import { useRead } from "@/components/queries/reads/use-read";
import { ObjectState } from "@/components/queries/states/object-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { TabLinks } from "@/components/ui/links/tab-links";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { Status } from "@/components/ui/status";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { paths } from "@/lib/console/paths";
import { holdsInProject } from "@/lib/console/permissions-in";
import type { Project } from "@/lib/contract/operations/projects/projects";
import { BodySettingsSection } from "./body-settings/body-settings-section";
import { ProjectMembers } from "./members/project-members";
import { ModelPermissionsSection } from "./models/model-permissions-section";
import { ProjectOverview } from "./project-overview";
import type { ProjectPartProps } from "./project-part-props";
import { projectRead } from "./project-reads";
import { ProjectScreens } from "./project-screens";
import { ProjectSkeleton } from "./project-skeleton";
import { type ProjectTabId, projectTabs } from "./project-tabs";
import { RenameProject } from "./rename-project";

type ProjectPageScreenProps = Omit<ProjectPartProps, "project" | "may"> & {
  projectId: string;
  tab: ProjectTabId;
  tabs: readonly ProjectTabId[];
};

/** The page of a project, with a tab per subject. */
export function ProjectPageScreen({ projectId, tab, tabs, ...page }: ProjectPageScreenProps) {
  const project = useRead(...projectRead(projectId));
  return (
    <ObjectState
      read={project}
      object={project.data}
      to="show the project"
      skeleton={<ProjectSkeleton />}
      unknown={<UnknownObject noun="project" id={projectId} icon={FolderX} list={paths.projects()} />}
    >
      {(one) => {
        const isArchived = one.status === "archived";
        const may: ProjectPartProps["may"] = (permission) =>
          holdsInProject(page.held, projectId, permission) && !(isArchived && permission.endsWith(".write"));
        return (
          <Page>
            <PageCrumb label={one.name} />
            <ProjectHead project={one} canRename={may("api.projects.write")} />
            <StaleNotice read={project} />
            <ProjectScreens project={one} may={may} />
            <TabLinks
              label="Parts of the project"
              current={tab}
              tabs={projectTabs
                .filter(({ id }) => tabs.includes(id))
                .map(({ id, label }) => ({ id, label, href: buildHref(projectId, id) }))}
            />
            <Part tab={tab} {...page} project={one} may={may} />
          </Page>
        );
      }}
    </ObjectState>
  );
}

function buildHref(projectId: string, tab: ProjectTabId): string {
  return paths.project(projectId, tab === "overview" ? {} : { tab });
}

function Part({ tab, ...page }: ProjectPartProps & { tab: ProjectTabId }) {
  switch (tab) {
    case "members":
      return <ProjectMembers {...page} />;
    case "models":
      return <ModelPermissionsSection {...page} />;
    case "data":
      return <BodySettingsSection {...page} />;
    case "overview":
      return <ProjectOverview {...page} />;
  }
}

function ProjectHead({ project, canRename }: { project: Project; canRename: boolean }) {
  const { name, id, archived_at: archivedAt, created_at: createdAt } = project;
  return (
    <>
      <PageHead
        title={<span className="wrap-anywhere">{name}</span>}
        beside={
          <>
            {archivedAt !== null && <Status tone="neutral">Archived</Status>}
            <IdChip id={id} what="project id" />
          </>
        }
        sentence={
          <>
            Created <RelativeTime at={createdAt} />
          </>
        }
        action={
          <>
            <HistoryLink projectId={id} />
            {canRename && <RenameProject project={project} />}
          </>
        }
      />
      {archivedAt !== null && (
        <div className="mb-6">
          <Notice title="This project is archived">
            It has refused every call since <RelativeTime at={archivedAt} />, and can no longer be changed.
            Its past usage stays in the ledger.
          </Notice>
        </div>
      )}
    </>
  );
}
