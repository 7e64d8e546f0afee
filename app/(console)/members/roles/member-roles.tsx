"use client";

import type { ComponentType } from "react";
import { findRoleName } from "@/app/(console)/members/member-columns";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import type { ChangeRoleDialogProps } from "@/components/roles/change-role-dialog";
import { GiveRole, HeldRoles } from "@/components/roles/held-roles";
import { heldRolesRead } from "@/components/roles/member-reads";
import type { Project } from "@/components/roles/principal";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import type { User } from "@/lib/contract/operations/people/users";
import { changeMemberRole } from "../actions";

type MemberRolesProps = {
  member: User;
  isOwn: boolean;
  held: HeldPermissions | null;
  projects: readonly Project[];
  /** True if the person can see all of a member's roles, not only the first. */
  seesAll: boolean;
  canChange: boolean;
};

/** A member's roles with their permissions. */
export function MemberRoles({ member, isOwn, held, projects, seesAll, canChange }: MemberRolesProps) {
  const roles = useHeldRoles(member.id, { canRead: seesAll });
  const principal = { type: "user", id: member.id, name: member.name } as const;
  const direct = roles.data?.data.filter(({ assignment_sources: sources }) =>
    sources.some(({ principal_type: type }) => type === "user"),
  );
  return (
    <Section
      title="Roles"
      description={
        seesAll &&
        "Together they define what this member can do. A role in the organization applies in every project."
      }
      actions={
        <>
          {seesAll && <GiveRole principal={principal} projects={projects} held={held} />}
          {canChange && <ChangeRole member={member} isOwn={isOwn} held={held} direct={direct?.length ?? 1} />}
        </>
      }
    >
      {seesAll ? (
        <ReadState read={roles} to="show the roles" skeleton={<TableSkeleton rows={1} columns={2} />}>
          {({ data }) => (
            <HeldRoles principal={principal} held={held} everywhere={data} projects={projects} />
          )}
        </ReadState>
      ) : (
        <FirstRole member={member} />
      )}
    </Section>
  );
}

/** The member's first role, which everybody who can see the member can see. */
function FirstRole({ member }: { member: User }) {
  const roles = useOrganizationRoles();
  return (
    <p>
      {findRoleName(member, roles)}
      <span className="block text-sm text-muted">
        Roles held through groups and in projects are shown to those who hold{" "}
        <code className="font-mono text-xs">api.role_assignments.read</code>.
      </span>
    </p>
  );
}

const ChangeRoleDialog: ComponentType<ChangeRoleDialogProps<User>> = loadOnClient(() =>
  import("@/components/roles/change-role-dialog").then((file) => file.ChangeRoleDialog<User>),
);

type ChangeRoleProps = Pick<ChangeRoleDialogProps<User>, "member" | "isOwn" | "held" | "direct">;

/** Changes a member's role in the organization. */
function ChangeRole(props: ChangeRoleProps) {
  const roles = useOrganizationRoles();
  const dialog = useFormDialog("change-role");
  return (
    <>
      <Button onClick={dialog.open}>Change role</Button>
      {dialog.isOpen && (
        <ChangeRoleDialog
          {...props}
          project={null}
          roles={roles}
          action={changeMemberRole}
          refetch={["listUsers", "retrieveUser", "listUserRoles"]}
          formName="change-role"
          close={dialog.close}
        />
      )}
    </>
  );
}

/** Returns a member's roles in the organization, if the person may see them. */
export function useHeldRoles(userId: string, { canRead }: { canRead: boolean }) {
  return useRead(...heldRolesRead(userId), { enabled: canRead });
}
