"use client";

import { ProjectGroupSection } from "./project-group-section";
import { ProjectMemberSection } from "./project-member-section";
import type { ProjectPlace } from "./project-place";

/** Who may do what in a project: members with roles of their own in it, and groups. */
export function ProjectMembers(place: ProjectPlace) {
  return (
    <div className="grid gap-10">
      {place.may("api.project_users.read") && <ProjectMemberSection {...place} />}
      {place.may("api.project_groups.read") && <ProjectGroupSection {...place} />}
    </div>
  );
}
