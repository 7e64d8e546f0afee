"use client";

import { useRead } from "@/app/queries/use-read";
import { Section } from "@/components/ui/section";
import type { RoleHolder } from "@/lib/contract/operations/role-holders";
import type { User } from "@/lib/contract/operations/users";
import { ChangeRole } from "./change-role";
import type { Held } from "./give-roles";
import { HeldRole } from "./held-role";
import type { Project } from "./invite-projects";
import { roleNameOf } from "./member-columns";
import { holderReads } from "./reads-of-members";
import { useHeldRoles } from "./use-held-roles";
import { useOrganizationRoles } from "./use-organization-roles";

const [[, parameters]] = holderReads;

type MemberRolesProps = {
  member: User;
  isOwn: boolean;
  held: Held;
  projects: readonly Project[];
  /** Whether the person may see all roles a member holds, not only the first. */
  seesAll: boolean;
  canChange: boolean;
};

/** Every role a member holds, where it counts and where it comes from. */
export function MemberRoles({ member, isOwn, held, projects, seesAll, canChange }: MemberRolesProps) {
  const roles = useOrganizationRoles();
  const everywhere = useHeldRoles(member.id, seesAll) ?? [];
  const holders = useRead("listRoleHolders", parameters, { enabled: false }).data?.data ?? [];
  return (
    <Section
      title="Roles"
      description={
        seesAll
          ? "Together they say what this member may do. A role in the organization counts in every project."
          : undefined
      }
      actions={
        canChange && (
          <ChangeRole member={member} isOwn={isOwn} held={held} direct={everywhere.filter(isDirect).length} />
        )
      }
    >
      {seesAll ? (
        <>
          <ul aria-label="Roles of this member" className="peer rounded-md border bg-surface empty:hidden">
            {everywhere.map((role) => (
              <HeldRole key={role.id} role={role} project={null} groups={holders} />
            ))}
            {candidatesOf(holders, member.id).map((id) => (
              <ProjectRoles
                key={id}
                userId={member.id}
                project={projects.find((project) => project.id === id) ?? { id, name: id }}
                groups={holders}
              />
            ))}
          </ul>
          <p className="hidden text-muted peer-empty:block">
            No role at all: they can sign in and see who they are, and nothing else.
          </p>
        </>
      ) : (
        <p>
          {roleNameOf(member, roles)}
          <span className="block text-sm text-muted">
            Roles held through groups and in projects are shown to those who hold{" "}
            <code className="font-mono text-xs">api.role_assignments.read</code>.
          </span>
        </p>
      )}
    </Section>
  );
}

type ProjectRolesProps = { userId: string; project: Project; groups: readonly RoleHolder[] };

/** What a member holds in one project: nothing where it is held by a group they are not in. */
function ProjectRoles({ userId, project, groups }: ProjectRolesProps) {
  const roles = useRead("listProjectUserRoles", { project_id: project.id, user_id: userId, limit: "1000" });
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

function isDirect({ assignment_sources: sources }: { assignment_sources: { principal_type: string }[] }) {
  return sources.some(({ principal_type: type }) => type === "user");
}
