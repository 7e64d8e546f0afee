"use client";

import { Copy, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { HistoryLink } from "@/components/object-page/history-link";
import { useRead } from "@/components/queries/reads/use-read";
import { ObjectState } from "@/components/queries/states/object-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { rolesRead } from "@/components/roles/member-reads";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Badge } from "@/components/ui/badge";
import { useObjectGone } from "@/components/ui/drafts/object-gone";
import { LinkButton } from "@/components/ui/links/link-button";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { IdChip } from "@/components/ui/text/id-chip";
import { paths } from "@/lib/console/paths";
import type { Role } from "@/lib/contract/operations/people/roles";
import { DeleteRole } from "./delete-role";
import { EditRoleForm } from "./edit-role-form";
import { nameResource } from "./resource-names";
import { RoleHolders } from "./role-holders";
import { RolePermissions } from "./role-permissions";
import { RoleSkeleton } from "./role-skeleton";
import { ViewAsRole } from "./view-as-role";

type RoleScreenProps = {
  roleId: string;
  baseUrl: string;
  canWrite: boolean;
  seesHolders: boolean;
  /** The person's permissions in the organization; null if they aren't known. */
  held: readonly string[] | null;
};

/** The page of a role. Predefined roles are read-only; the organization's own can be changed. */
export function RoleScreen({ roleId, baseUrl, canWrite, seesHolders, held }: RoleScreenProps) {
  const roles = useRead(...rolesRead);
  return (
    <ObjectState
      read={roles}
      object={roles.data?.data.find(({ id }) => id === roleId)}
      to="show the role"
      skeleton={<RoleSkeleton />}
      unknown={<UnknownObject noun="role" id={roleId} icon={ShieldCheck} list={paths.roles()} />}
    >
      {(role) => (
        <Page width={isEditable(role, canWrite) ? "grid" : "wide"}>
          <PageCrumb label={role.name} />
          {!isEditable(role, canWrite) && (
            <RoleHead role={role} canWrite={canWrite} view={<ViewAsRole role={role} />} />
          )}
          <StaleNotice read={roles} />
          {isEditable(role, canWrite) ? (
            <EditRoleForm
              role={role}
              baseUrl={baseUrl}
              seesHolders={seesHolders}
              held={held}
              renderHead={(drafted) => (
                <RoleHead
                  role={role}
                  canWrite={canWrite}
                  view={<ViewAsRole role={role} drafted={drafted} />}
                />
              )}
            />
          ) : (
            <RolePermissions role={role} />
          )}
          <RoleHolders roleId={role.id} />
        </Page>
      )}
    </ObjectState>
  );
}

const isEditable = (role: Role, canWrite: boolean) => canWrite && !role.predefined_role;

type RoleHeadProps = { role: Role; canWrite: boolean; view: ReactNode };

function RoleHead({ role, canWrite, view }: RoleHeadProps) {
  const { isGone } = useObjectGone();
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
        <>
          {view}
          {!role.predefined_role && <HistoryLink id={role.id} />}
          {canWrite && !role.predefined_role && <DeleteRole role={role} />}
          {canWrite && !isGone && (
            <LinkButton
              href={paths.newRole({ copy: role.id })}
              variant={role.predefined_role ? "primary" : "secondary"}
            >
              <Copy aria-hidden />
              Copy this role
            </LinkButton>
          )}
        </>
      }
    />
  );
}
