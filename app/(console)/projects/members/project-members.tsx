"use client";

import type { ProjectPartProps } from "../project-part-props";
import { ProjectGroupSection } from "./project-group-section";
import { ProjectMemberSection } from "./project-member-section";

/** The members and groups with roles in a project. */
export function ProjectMembers(page: ProjectPartProps) {
  return (
    <div className="grid gap-10">
      {page.may("api.project_users.read") && <ProjectMemberSection {...page} />}
      {page.may("api.project_groups.read") && <ProjectGroupSection {...page} />}
    </div>
  );
}
