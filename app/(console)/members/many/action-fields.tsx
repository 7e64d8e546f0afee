"use client";

import { useOptions } from "@/components/filters/use-options";
import type { Project } from "@/components/roles/principal";
import { listPredefinedRoles, useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { SearchedSelect } from "@/components/ui/fields/searched-select";
import type { Choice } from "./member-action";

type ActionFieldsProps = {
  choice: Choice;
  choose: (change: Partial<Choice>) => void;
  projects: readonly Project[];
};

/** What an action needs to know: a role, a project or a group. */
export function ActionFields({ choice, choose, projects }: ActionFieldsProps) {
  const { type } = choice;
  const organizationRoles = useOrganizationRoles();
  const isInProject = type === "set_project_role" || type === "leave_project";
  const roles = isInProject ? listPredefinedRoles("api.project") : organizationRoles;
  return (
    <div className="grid gap-3">
      {isInProject && (
        <ChoiceSelect
          label="Project"
          value={choice.projectId}
          nothing="Choose a project"
          options={projects.map(({ id, name }) => ({ value: id, label: name }))}
          choose={(projectId) => choose({ projectId })}
        />
      )}
      {(type === "set_role" || type === "set_project_role") && (
        <ChoiceSelect
          label="Role"
          value={choice.roleId}
          nothing="Choose a role"
          options={roles.map(({ id, name }) => ({ value: id, label: name }))}
          choose={(roleId) => choose({ roleId })}
        />
      )}
      {(type === "join_group" || type === "leave_group") && (
        <GroupChoice value={choice.groupId} choose={(groupId) => choose({ groupId })} />
      )}
    </div>
  );
}

function GroupChoice({ value, choose }: { value: string; choose: (id: string) => void }) {
  const { rows, search } = useOptions("listGroups");
  return (
    <SearchedSelect
      label="Group"
      value={value}
      nothing={{ label: "Choose a group", isOption: false }}
      options={rows.map(({ id, name }) => ({ value: id, label: name }))}
      choose={choose}
      search={search}
      className="field h-9 w-full pointer-coarse:h-11"
    />
  );
}
