"use client";

import { Plus, X } from "lucide-react";
import { useId } from "react";
import { type Control, useFieldArray, useWatch } from "react-hook-form";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { findLackedPermission } from "@/components/roles/give-roles";
import type { Project } from "@/components/roles/principal";
import { listPredefinedRoles } from "@/components/roles/use-organization-roles";
import { composeButtonStyle } from "@/components/ui/compose-button-style";
import { SelectField } from "@/components/ui/fields/select-field";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu/menu";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import { projectMemberRole } from "@/lib/contract/access/predefined-roles";
import type { InviteFormValues } from "./invite-form-schema";

type InviteProjectsProps = {
  control: Control<InviteFormValues>;
  projects: readonly Project[];
  held: HeldPermissions | null;
};

/** The projects of an invitation, each with a role. */
export function InviteProjects({ control, projects, held }: InviteProjectsProps) {
  const id = useId();
  const chosen = useFieldArray({ control, name: "projects", keyName: "key" });
  const left = projects.filter((project) => chosen.fields.every((field) => field.id !== project.id));
  const findProjectName = (projectId: string) =>
    projects.find((project) => project.id === projectId)?.name ?? projectId;
  const toEntry = (projectId: string, label: string) => ({
    id: projectId,
    label,
    onSelect: () => chosen.append({ id: projectId, role: projectMemberRole.id }),
  });
  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={`${id}-help`}>
      <legend className="mb-1.5 flex w-full flex-wrap items-baseline gap-x-2">
        <span className="font-medium">Projects</span>
        <code className="font-mono text-xs text-muted">projects</code>
        <span className="ml-auto text-xs text-muted">Optional</span>
      </legend>
      {chosen.fields.map((field, index) => (
        <div key={field.key} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <ProjectRole
              control={control}
              index={index}
              project={{ id: field.id, name: findProjectName(field.id) }}
              held={held}
            />
          </div>
          <IconButton
            label={`Leave out ${findProjectName(field.id)}`}
            icon={<X />}
            onClick={() => chosen.remove(index)}
            className="mt-7"
          />
        </div>
      ))}
      {left.length > 0 && (
        <div>
          <Menu
            noun="projects"
            triggerClassName={composeButtonStyle("secondary", "small")}
            trigger={
              <>
                <Plus aria-hidden />
                Add a project
              </>
            }
            sections={[{ entries: left.map(({ id: projectId, name }) => toEntry(projectId, name)) }]}
          />
        </div>
      )}
      <p id={`${id}-help`} className="text-sm text-muted">
        A role in the organization counts in every project; one here counts in its project alone.
      </p>
    </fieldset>
  );
}

type ProjectRoleProps = {
  control: Control<InviteFormValues>;
  index: number;
  project: Project;
  held: HeldPermissions | null;
};

function ProjectRole({ control, index, project, held }: ProjectRoleProps) {
  const read = useRead(...wholeList("listProjectRoles", { project_id: project.id }));
  const chosen = useWatch({ control, name: `projects.${index}.role` });
  // Keep a selected role even if the person can't give it; the error below explains that.
  const roles = (read.data?.data ?? listPredefinedRoles("api.project")).filter(
    (role) => role.id === chosen || findLackedPermission(role, held, project.id) === null,
  );
  return (
    <SelectField
      control={control}
      name={`projects.${index}.role`}
      label={project.name}
      options={roles.map(({ id, name }) => ({ value: id, label: name }))}
      help={roles.find(({ id }) => id === chosen)?.description}
    />
  );
}
