"use client";

import { useId } from "react";
import { PermissionAnswer } from "@/components/roles/permission-answer";
import { permissionOptions } from "@/components/roles/permission-options";
import type { Project } from "@/components/roles/principal";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { Section } from "@/components/ui/section";
import type { User } from "@/lib/contract/operations/people/users";

type ExplainPermissionProps = { member: User; projects: readonly Project[] };

/**
 * Explains why a member does or doesn't have a permission. The question is in the address, so that it can be shared.
 */
export function ExplainPermission({ member, projects }: ExplainPermissionProps) {
  const id = useId();
  const [permission, setPermission] = useUrlParameter("permission");
  const [projectId, setProjectId] = useUrlParameter("project");
  return (
    <Section
      title={`What can ${member.name} do, and why?`}
      description="Choose a permission and a place to see which role allows it, or that none does."
    >
      <div className="grid gap-3 sm:grid-cols-[3fr_2fr]">
        <div className="grid min-w-0 gap-1.5">
          <label htmlFor={`${id}-permission`} className="font-medium">
            Permission
          </label>
          <ChoiceSelect
            label="Permission"
            id={`${id}-permission`}
            value={permission}
            nothing="Choose a permission"
            options={permissionOptions}
            choose={setPermission}
          />
        </div>
        <div className="grid min-w-0 gap-1.5">
          <label htmlFor={`${id}-project`} className="font-medium">
            Where
          </label>
          <ChoiceSelect
            label="Where"
            id={`${id}-project`}
            value={projectId}
            nothing="The whole organization"
            options={projects.map(({ id: value, name }) => ({ value, label: `Project ${name}` }))}
            choose={setProjectId}
          />
        </div>
      </div>
      <div aria-live="polite">
        {permission && (
          <PermissionAnswer
            userId={member.id}
            permission={permission}
            projectId={projectId}
            projects={projects}
          />
        )}
      </div>
    </Section>
  );
}
