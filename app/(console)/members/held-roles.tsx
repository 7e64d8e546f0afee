"use client";

import { useRead } from "@/app/queries/use-read";
import { Button } from "@/components/ui/button";
import type { AssignedRole } from "@/lib/contract/operations/role-assignments";
import type { RoleHolder } from "@/lib/contract/operations/role-holders";
import { HeldRole } from "./held-role";
import type { Project } from "./invite-projects";
import { holderReads } from "./reads-of-members";

const [[, parameters]] = holderReads;

type HeldRolesProps = {
  userId: string;
  /** The roles held in the organization. */
  everywhere: readonly AssignedRole[];
  projects: readonly Project[];
};

/** Every role a member holds, where it counts and where it comes from. */
export function HeldRoles({ userId, everywhere, projects }: HeldRolesProps) {
  const holders = useRead("listRoleHolders", parameters, { enabled: false }).data;
  const groups = holders?.data ?? [];
  return (
    <div>
      <ul aria-label="Roles of this member" className="peer rounded-md border bg-surface empty:hidden">
        {everywhere.map((role) => (
          <HeldRole key={role.id} role={role} project={null} groups={groups} />
        ))}
        {candidatesOf(groups, userId).map((id) => (
          <ProjectRoles
            key={id}
            userId={userId}
            project={projects.find((project) => project.id === id) ?? { id, name: id }}
            groups={groups}
          />
        ))}
      </ul>
      <p className="hidden text-muted peer-empty:block">
        No role at all: they can sign in and see who they are, and nothing else.
      </p>
      {holders?.has_more && (
        <p className="mt-2 text-sm text-muted">
          More roles are held in this organization than are read here: those in further projects are in the
          API.
        </p>
      )}
    </div>
  );
}

type ProjectRolesProps = { userId: string; project: Project; groups: readonly RoleHolder[] };

/** What a member holds in one project: nothing where it is held by a group they are not in. */
function ProjectRoles({ userId, project, groups }: ProjectRolesProps) {
  const roles = useRead("listProjectUserRoles", { project_id: project.id, user_id: userId, limit: "1000" });
  if (!roles.data && roles.error) {
    return (
      <li className="flex flex-wrap items-center justify-between gap-2 border-b px-3 py-2 last:border-b-0">
        Roles in {project.name} could not be read: {roles.error.problem.message}
        <Button size="small" pending={roles.isFetching} onClick={() => void roles.refetch()}>
          Try again
        </Button>
      </li>
    );
  }
  return roles.data?.data.map((role) => (
    <HeldRole key={role.id} role={role} project={project} groups={groups} />
  ));
}

/** The projects in which a member may hold a role, themselves or through a group. */
function candidatesOf(holders: readonly RoleHolder[], userId: string): string[] {
  const ids = holders.flatMap(({ holder, project_id: id }) =>
    id !== null && (holder.type === "group" || holder.id === userId) ? [id] : [],
  );
  return [...new Set(ids)];
}
