"use client";

import { Copy, ShieldCheck } from "lucide-react";
import { ProblemState } from "@/app/queries/problem-state";
import { StaleNotice } from "@/app/queries/stale-notice";
import { PageCrumb } from "@/components/shell/page-crumb";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { IdChip } from "@/components/ui/id-chip";
import { LinkButton } from "@/components/ui/link-button";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { paths } from "@/lib/console/paths";
import type { Role } from "@/lib/contract/operations/roles";
import { DeleteRole } from "./delete-role";
import { EditRoleForm } from "./edit-role-form";
import { nameResource } from "./resource-names";
import { RoleHolders } from "./role-holders";
import { RolePermissions } from "./role-permissions";
import { RoleSkeleton } from "./role-skeleton";
import { useRoles } from "./use-roles";

type RoleScreenProps = { roleId: string; baseUrl: string; canWrite: boolean };

/** One role: to read where it is predefined, to change where it is the organization's own. */
export function RoleScreen({ roleId, baseUrl, canWrite }: RoleScreenProps) {
  const roles = useRoles();
  const role = roles.data?.data.find(({ id }) => id === roleId);

  if (role) {
    const editable = canWrite && !role.predefined_role;
    return (
      <Page>
        <PageCrumb label={role.name} />
        <RoleHead role={role} canWrite={canWrite} />
        <StaleNotice read={roles} />
        {editable ? <EditRoleForm role={role} baseUrl={baseUrl} /> : <RolePermissions role={role} />}
        <RoleHolders roleId={role.id} />
      </Page>
    );
  }
  // A list that is being read again may be about to bring a role that was created just now.
  if (roles.data && !roles.isFetching) return <UnknownRole id={roleId} />;
  if (roles.error && !roles.isFetching) {
    const retry = () => void roles.refetch();
    return (
      <Page>
        <ProblemState problem={roles.error.problem} to="show the role" retry={retry} />
      </Page>
    );
  }
  return <RoleSkeleton />;
}

function RoleHead({ role, canWrite }: { role: Role; canWrite: boolean }) {
  return (
    <PageHead
      title={<span className="wrap-anywhere">{role.name}</span>}
      beside={
        <>
          {role.predefined_role && <Badge>predefined</Badge>}
          <Badge>{nameResource(role.resource_type).toLowerCase()}</Badge>
          <IdChip id={role.id} what="role id" />
        </>
      }
      sentence={role.description && <span className="wrap-anywhere">{role.description}</span>}
      action={
        canWrite && (
          <>
            {!role.predefined_role && <DeleteRole role={role} />}
            <LinkButton
              href={paths.newRole({ copy: role.id })}
              variant={role.predefined_role ? "primary" : "secondary"}
            >
              <Copy aria-hidden />
              Copy this role
            </LinkButton>
          </>
        )
      }
    />
  );
}

function UnknownRole({ id }: { id: string }) {
  return (
    <Page>
      <EmptyState
        level={1}
        icon={ShieldCheck}
        title="There is no such role"
        action={
          <LinkButton variant="primary" href={paths.roles()}>
            See all roles
          </LinkButton>
        }
      >
        No role has the id <code className="font-mono text-sm break-all">{id}</code>. It may have been
        deleted, or the address is not whole.
      </EmptyState>
    </Page>
  );
}
