"use client";

import { ChevronRight, Plus, X } from "lucide-react";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { IconButton } from "@/components/ui/icon-button";
import { TextLink } from "@/components/ui/links/text-link";
import { paths } from "@/lib/console/paths";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import type { AssignedRole } from "@/lib/contract/operations/people/role-assignments";
import type { RoleHolder } from "@/lib/contract/operations/people/roles";
import { takeRole } from "./assignment-actions";
import type { GiveRoleDialogProps } from "./give-role-dialog";
import { findLackedPermission } from "./give-roles";
import { holdersRead } from "./member-reads";
import { groupPermissions } from "./permission-groups";
import {
  describeScope,
  mayAssignIn,
  type Principal,
  type Project,
  type RoleScope,
  readsShowingRoles,
} from "./principal";

type HeldRolesProps = {
  principal: Principal;
  /** The signed-in person's permissions. People who can give roles in a scope can also take them away there. */
  held: HeldPermissions | null;
  /** Roles in the organization. */
  everywhere: readonly AssignedRole[];
  projects: readonly Project[];
};

/** All roles of a member or group, with their scope and source. */
export function HeldRoles({ principal, held, everywhere, projects }: HeldRolesProps) {
  const holders = useRead(...holdersRead).data;
  const groups = holders?.data ?? [];
  const isMember = principal.type === "user";
  return (
    <div>
      <ul
        aria-label={`Roles of this ${isMember ? "member" : "group"}`}
        className="peer rounded-md border bg-surface empty:hidden"
      >
        {everywhere.map((role) => (
          <OneRole key={role.id} role={role} scope={null} {...{ principal, held, groups }} />
        ))}
        {listCandidates(groups, principal).map((id) => (
          <ProjectRoles
            key={id}
            project={projects.find((project) => project.id === id) ?? { id, name: id }}
            {...{ principal, held, groups }}
          />
        ))}
      </ul>
      <p className="hidden text-muted peer-empty:block">
        {isMember
          ? "No role: they can sign in and see only their own usage."
          : "No roles yet. Being in this group allows nothing."}
      </p>
      {holders?.has_more && (
        <p className="mt-2 text-sm text-muted">
          This list is incomplete: the organization has more role assignments than this page loads. The API
          lists them all.
        </p>
      )}
    </div>
  );
}

type Known = { principal: Principal; held: HeldPermissions | null; groups: readonly RoleHolder[] };

function OneRole({ role, scope, principal, held, groups }: Known & { role: AssignedRole; scope: RoleScope }) {
  const isDirect = role.assignment_sources.some(({ principal_type: type }) => type === principal.type);
  // The gateway refuses to take a role with permissions that the taker lacks.
  const canTake = mayAssignIn(held, scope) && findLackedPermission(role, held, scope?.id ?? null) === null;
  return (
    <HeldRole
      role={role}
      project={scope}
      groups={groups}
      ofGroup={principal.type === "group"}
      action={isDirect && canTake && <TakeRole principal={principal} role={role} scope={scope} />}
    />
  );
}

/** The roles held in one project. Renders nothing if they belong to a group without this member. */
function ProjectRoles({ project, ...known }: Known & { project: Project }) {
  const { type, id } = known.principal;
  const isMember = type === "user";
  const roles = useRead(
    ...wholeList(isMember ? "listProjectUserRoles" : "listProjectGroupRoles", {
      project_id: project.id,
      ...(isMember ? { user_id: id } : { group_id: id }),
    }),
  );
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
  return roles.data?.data.map((role) => <OneRole key={role.id} role={role} scope={project} {...known} />);
}

/** Returns projects in which the principal may hold roles, directly or through any group. */
function listCandidates(holders: readonly RoleHolder[], principal: Principal): string[] {
  const isTheirs = ({ type, id }: RoleHolder["holder"]) =>
    id === principal.id || (principal.type === "user" && type === "group");
  const ids = holders.flatMap(({ holder, project_id: id }) => (id !== null && isTheirs(holder) ? [id] : []));
  return [...new Set(ids)];
}

type TakeRoleProps = { principal: Principal; role: AssignedRole; scope: RoleScope };

/** Takes away a directly held role. */
function TakeRole({ principal: { type, id, name }, role, scope }: TakeRoleProps) {
  const router = useRouter();
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Remove the role ${role.name} ${describeScope(scope)}`}
          icon={<X />}
          onClick={ask}
        />
      )}
      title={`Remove the role ${role.name} from ${name}?`}
      confirmLabel="Remove role"
      action={takeRole}
      input={{ type, id, projectId: scope?.id ?? null, roleId: role.id, version: role.version }}
      refetch={readsShowingRoles}
      done={() => `${role.name} removed from ${name}`}
      // It may be the person's own role, which decides what the shell shows.
      onDone={() => router.refresh()}
    >
      What it allows {describeScope(scope)} ends at once{type === "group" && ", for everyone in the group"},
      unless another role allows it too.
    </ConfirmedAction>
  );
}

const GiveRoleDialog = loadOnClient(() => import("./give-role-dialog").then((file) => file.GiveRoleDialog));

/** A button that gives another role to a member or group. Renders nothing if the person can't give roles. */
export function GiveRole(props: Omit<GiveRoleDialogProps, "close">) {
  const canGive = [null, ...props.projects].some((scope) => mayAssignIn(props.held, scope));
  const dialog = useFormDialog("give-role", canGive);
  if (!canGive) return null;
  return (
    <>
      <Button onClick={dialog.open}>
        <Plus aria-hidden />
        Assign role
      </Button>
      {dialog.isOpen && <GiveRoleDialog {...props} close={dialog.close} />}
    </>
  );
}

type HeldRoleProps = {
  role: AssignedRole;
  /** The project of the role; null for the organization. */
  project: Project | null;
  /** Role holders, for the names of groups. */
  groups: readonly RoleHolder[];
  /** True if the roles are a group's own, so that their source needn't be shown. */
  ofGroup: boolean;
  /** The button that takes the role away. */
  action: ReactNode;
};

/** A role somebody holds: its permissions, and the group it comes from if any. */
function HeldRole({ role, project, groups, ofGroup, action }: HeldRoleProps) {
  const { id, name, permissions, assignment_sources: sources } = role;
  const origins = sources.map(({ principal_type: type, principal_id: source }) =>
    type === "user" ? "held directly" : `through the group ${findHolderName(groups, source)}`,
  );
  const options = groupPermissions(permissions).flatMap((group) => group.options);
  return (
    <li className="border-b px-3 py-2.5 last:border-b-0">
      <div className="flex flex-wrap items-baseline gap-x-2">
        {project ? (
          <span className="font-medium wrap-anywhere">{name}</span>
        ) : (
          <TextLink href={paths.role(id)} className="font-medium wrap-anywhere">
            {name}
          </TextLink>
        )}
        <span className="wrap-anywhere text-muted">
          {project ? `in ${project.name}` : "in the whole organization"}
        </span>
        <span className="text-sm wrap-anywhere text-muted sm:ml-auto">
          {!ofGroup && origins.join(", and ")}
        </span>
        {action && <span className="self-center">{action}</span>}
      </div>
      <details className="group mt-1 text-sm">
        <summary className="inline-flex min-h-6 cursor-pointer list-none items-center gap-1 rounded-sm text-muted hover:text-foreground pointer-coarse:min-h-11">
          <ChevronRight aria-hidden className="size-3.5 group-open:rotate-90" />
          {permissions.length === 1 ? "1 permission" : `${permissions.length} permissions`}
        </summary>
        <ul className="mt-1 grid gap-1.5 pl-4.5">
          {options.map(({ value, sentence }) => (
            <li key={value}>
              {sentence} <code className="font-mono text-xs break-all text-muted">{value}</code>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

function findHolderName(groups: readonly RoleHolder[], id: string): string {
  return groups.find(({ holder }) => holder.id === id)?.holder.name ?? id;
}
