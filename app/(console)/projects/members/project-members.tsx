"use client";

import type { ProjectPlace } from "../project-place";
import { ProjectGroupSection } from "./project-group-section";
import { ProjectMemberSection } from "./project-member-section";

/** The members and groups with roles in a project. */
export function ProjectMembers(place: ProjectPlace) {
  return (
    <div className="grid gap-10">
      {place.may("api.project_users.read") && <ProjectMemberSection {...place} />}
      {place.may("api.project_groups.read") && <ProjectGroupSection {...place} />}
    </div>
  );
}
