import { KeyRound, type LucideIcon, UserRound, UsersRound } from "lucide-react";
import type { Project } from "@/components/roles/principal";
import { ConsoleLink } from "@/components/ui/links/console-link";
import type { Column } from "@/components/ui/table/column";
import { paths } from "@/lib/console/paths";
import type { PermissionHolder } from "@/lib/contract/operations/people/permissions";

const kinds: Record<PermissionHolder["holder"]["type"], { word: string; icon: LucideIcon }> = {
  user: { word: "member", icon: UserRound },
  group: { word: "group", icon: UsersRound },
  admin_key: { word: "admin key", icon: KeyRound },
  project_key: { word: "project key", icon: KeyRound },
};

export const describeKind = ({ holder }: PermissionHolder) => kinds[holder.type].word;

export function describePlace({ project_id: id }: PermissionHolder, projects: readonly Project[]): string {
  return id === null ? "everywhere" : (projects.find((project) => project.id === id)?.name ?? id);
}

/** The page of a holder. */
export function findHolderHref({ holder: { type, id, name }, project_id }: PermissionHolder): string {
  if (type === "user") return paths.member(id);
  if (type === "group") return paths.group(id);
  return type === "admin_key" ? paths.adminKeys() : paths.keys(project_id ?? undefined, { q: name });
}

export function holderColumns(projects: readonly Project[]): readonly Column<PermissionHolder>[] {
  return [
    {
      id: "name",
      header: "Who",
      sortValue: ({ holder }) => holder.name,
      cell: (row) => {
        const Icon = kinds[row.holder.type].icon;
        return (
          <span className="inline-flex items-center gap-2 wrap-anywhere">
            <Icon aria-hidden className="size-4 shrink-0 text-muted" />
            {row.holder.name}
          </span>
        );
      },
    },
    { id: "kind", header: "Kind", width: "w-32", phone: "end", sortValue: describeKind, cell: describeKind },
    {
      id: "role",
      header: "By the role",
      width: "w-48",
      sortValue: ({ role }) => role.name,
      cell: ({ role }) => (
        <ConsoleLink href={paths.role(role.id)} className="relative z-1 hover:underline">
          {role.name}
        </ConsoleLink>
      ),
    },
    {
      id: "through",
      header: "Through",
      width: "w-40",
      phone: "hidden",
      sortValue: ({ through }) => through?.name ?? "",
      cell: ({ through }) => through?.name ?? <span className="text-muted">directly</span>,
    },
    {
      id: "where",
      header: "Where",
      width: "w-44",
      phone: "hidden",
      sortValue: (row) => describePlace(row, projects),
      cell: (row) => describePlace(row, projects),
    },
  ];
}
