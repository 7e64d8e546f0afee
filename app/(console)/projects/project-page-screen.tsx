"use client";

import { FolderX, Pencil } from "lucide-react";
import { keyReads } from "@/components/keys/key-reads";
import { groupModels } from "@/components/models/group-models";
import { HistoryLink } from "@/components/object-page/history-link";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ObjectState } from "@/components/queries/states/object-state";
import { ReadState } from "@/components/queries/states/read-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { SelectField } from "@/components/ui/fields/select-field";
import { Form } from "@/components/ui/form/form";
import { lateSchema, useLateEditForm } from "@/components/ui/form/late-schema";
import { SaveFooter } from "@/components/ui/form/save-footer";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { TabLinks } from "@/components/ui/links/tab-links";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { Page, PageHead } from "@/components/ui/page";
import { Section } from "@/components/ui/section";
import { FormSkeleton } from "@/components/ui/states/skeleton";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { Status } from "@/components/ui/status";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { paths } from "@/lib/console/paths";
import { holdsInProject } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";
import type { Project } from "@/lib/contract/operations/projects/projects";
import { changeProject } from "./actions";
import { ArchiveProject } from "./archive-project";
import { BodySettingsForm } from "./body-settings/body-settings-form";
import { ProjectGroupSection } from "./members/project-group-section";
import { ProjectMemberSection } from "./members/project-member-section";
import { ModelPermissionsForm } from "./models/model-permissions-form";
import { everyModel } from "./models/project-model-permissions";
import { ProjectFigures } from "./project-figures";
import type { ProjectPartProps } from "./project-reads";
import { callParameters, holderReads, projectRead } from "./project-reads";
import { ProjectSkeleton } from "./project-skeletons";
import { type MayInProject, type ProjectTabId, projectTabs } from "./project-tabs";

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

/** The members and groups with roles in a project. */
function ProjectMembers(page: ProjectPartProps) {
  return (
    <div className="grid gap-10">
      {page.may("api.project_users.read") && <ProjectMemberSection {...page} />}
      {page.may("api.project_groups.read") && <ProjectGroupSection {...page} />}
    </div>
  );
}

const RenameProjectDialog = loadOnClient(() =>
  import("./rename-project-dialog").then((file) => file.RenameProjectDialog),
);

function RenameProject({ project }: { project: Project }) {
  const dialog = useFormDialog("rename-project");
  return (
    <>
      <Button onClick={dialog.open}>
        <Pencil aria-hidden />
        Rename
      </Button>
      {dialog.isOpen && <RenameProjectDialog project={project} close={dialog.close} />}
    </>
  );
}

/** Which prompts and answers a project stores. */
function BodySettingsSection({ project, may }: ProjectPartProps) {
  const read = useRead("retrieveBodySettings", { project_id: project.id });
  return (
    <Section
      title="Prompts and answers"
      description="Gatehouse doesn’t store prompts and answers unless this project turns it on. Changes apply from the next call."
    >
      <ReadState read={read} to="show what is stored" skeleton={<FormSkeleton fields={3} />}>
        {(settings) => (
          <BodySettingsForm
            project={project}
            settings={settings}
            canWrite={may("api.request_bodies.write")}
          />
        )}
      </ReadState>
    </Section>
  );
}

type ScreenOfProject = { label: string; href: (id: string) => string; permissions: readonly Permission[] };

/** What belongs to a project and has its own screen. Those of calls are open for an archived project as well. */
const screens: readonly ScreenOfProject[] = [
  { label: "Keys", href: paths.keys, permissions: ["api.project_api_keys.read"] },
  { label: "Rate limits", href: paths.rateLimits, permissions: ["api.rate_limits.read"] },
  {
    label: "Spend limit and alerts",
    href: paths.spendLimits,
    permissions: ["api.spend_limits.read", "api.spend_alerts.read"],
  },
  { label: "Roles", href: paths.roles, permissions: ["api.roles.read"] },
  { label: "Requests", href: (id) => paths.requests({ project_id: id }), permissions: ["api.requests.read"] },
  { label: "Usage", href: (id) => paths.usage({ project_id: id }), permissions: ["api.usage.read"] },
];

/** Links to the screens that show this project. */
function ProjectScreens({ project, may }: { project: Project; may: MayInProject }) {
  const shown = screens.filter(({ permissions }) => permissions.some(may));
  if (shown.length === 0) return null;
  return (
    <nav aria-label="More of this project" className="-mt-3 mb-5 text-sm">
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {shown.map(({ label, href }) => (
          <li key={label}>
            <TextLink href={href(project.id)}>{label}</TextLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Which models a project's calls can use. */
function ModelPermissionsSection({ project, may }: ProjectPartProps) {
  const read = useRead("retrieveModelPermissions", { project_id: project.id });
  const models = useRead(...wholeList("listOrganizationModels"));
  const isFree = read.error?.problem.code === "not_found";
  const known = models.data?.data ?? [];
  return (
    <div className="grid gap-10">
      <Section
        title="Allowed models"
        description="Calls to any other model are refused, whichever key makes them. Changes apply from the next call."
        actions={<HistoryLink id={project.id} projectId={project.id} />}
      >
        <ReadState
          read={isFree ? { ...read, data: everyModel, error: null } : read}
          to="show the allowed models"
          skeleton={<FormSkeleton fields={2} />}
        >
          {(permissions) => (
            <ModelPermissionsForm
              project={project}
              permissions={permissions}
              groups={groupModels(known, permissions.model_ids)}
              canWrite={may("api.model_permissions.write")}
            />
          )}
        </ReadState>
      </Section>
      <Section
        title="Tools that providers run"
        description="For example a provider’s web search. Tools that the model has a price for are passed on and charged; this setting is for all others. Changes apply from the next call."
      >
        <HostedToolsForm project={project} canWrite={may("api.projects.write")} />
      </Section>
    </div>
  );
}

/** A project's figures, and the button that archives it. */
function ProjectOverview({ project, may, since }: ProjectPartProps) {
  const [seesCalls, seesMembers, seesKeys] = [
    may("api.requests.read"),
    may("api.project_users.read"),
    may("api.project_api_keys.read"),
  ];
  const month = useRead("retrieveRequestHistogram", callParameters(project.id, since.month), {
    enabled: seesCalls,
  });
  const day = useRead("retrieveRequestHistogram", callParameters(project.id, since.day), {
    enabled: seesCalls,
  });
  const members = useRead(...holderReads.members(project.id), { enabled: seesMembers });
  const keys = useRead(...keyReads(project.id).keys, { enabled: seesKeys });
  return (
    <div className="grid gap-10">
      <ProjectFigures
        projectId={project.id}
        since={since}
        month={seesCalls && month}
        day={seesCalls && day}
        members={seesMembers && members}
        keys={seesKeys && keys}
      />
      {may("api.projects.write") && (
        <Section
          title="Archive"
          description="For a project that is no longer used. Its keys stop working; its usage and ledger entries stay."
        >
          <div>
            <ArchiveProject project={project} day={day.data} keys={keys.data} members={members.data} />
          </div>
        </Section>
      )}
    </div>
  );
}

const hostedToolsSchema = lateSchema<Pick<Project, "hosted_tools">>(() =>
  import("./models/model-form-schemas").then((file) => file.rulesForm),
);
const hostedToolsLabels = { hosted_tools: "Tools without a price" };
const hostedToolsRules = [
  { value: "leave_out", label: "Leave them out of the call" },
  { value: "refuse", label: "Refuse the call" },
] as const;

/** What becomes of calls with tools that a provider would run, such as its web search. */
function HostedToolsForm({ project, canWrite }: { project: Project; canWrite: boolean }) {
  const form = useLateEditForm(hostedToolsSchema, toHostedTools(project));
  const saving = useSaveChanges(form, {
    saved: project,
    action: changeProject,
    refetch: ["retrieveProject", "listProjects"],
    names: ["hosted_tools"],
    toInput: ({ hosted_tools }, { version }) => ({ projectId: project.id, hosted_tools, version }),
    toValues: toHostedTools,
  });
  return (
    <Form
      form={form}
      name="hosted-tools"
      what={`the tools of ${project.name}`}
      isEdit
      labels={hostedToolsLabels}
      className="grid max-w-[560px] gap-5"
      onSubmit={saving.save}
    >
      <SelectField
        control={form.control}
        name="hosted_tools"
        label={hostedToolsLabels.hosted_tools}
        apiName="hosted_tools"
        options={hostedToolsRules}
        disabled={!canWrite}
        help="The reply and the receipt name what was left out. A call that can’t work without such a tool is refused in any case."
      />
      <SaveFooter
        saving={saving}
        labels={hostedToolsLabels}
        nothing="None"
        choices={{ hosted_tools: hostedToolsRules }}
        canWrite={canWrite}
      />
    </Form>
  );
}

function toHostedTools({ hosted_tools }: Project) {
  return { hosted_tools };
}
