import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { groupPermissions } from "@/components/roles/permission-groups";
import { TextLink } from "@/components/ui/links/text-link";
import { paths } from "@/lib/console/paths";
import type { AssignedRole } from "@/lib/contract/operations/people/role-assignments";
import type { RoleHolder } from "@/lib/contract/operations/people/role-holders";
import type { Project } from "./principal";

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
export function HeldRole({ role, project, groups, ofGroup, action }: HeldRoleProps) {
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
