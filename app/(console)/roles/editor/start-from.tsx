"use client";

import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { listNames } from "@/components/roles/permission-groups";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { composeButtonStyle } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { Menu } from "@/components/ui/menu/menu";
import type { PermissionDraft } from "./compare-draft";
import { PermissionContents } from "./permission-contents";

/** Fills the draft with nothing, all reads, or what another role holds. What the person lacks stays as it is. */
export function StartFrom({ draft, ownId }: { draft: PermissionDraft; ownId: string | null }) {
  const roles = useOrganizationRoles().filter(({ id }) => id !== ownId);
  const offered = draft.sections.flatMap(listNames);
  function start(from: string, names: readonly string[]) {
    const before = draft.chosen;
    const kept = before.filter(draft.lacks);
    draft.replace([...kept, ...names.filter((name) => offered.includes(name) && !draft.lacks(name))]);
    toast({ message: `Started from ${from}`, action: { label: "Undo", onAct: () => draft.replace(before) } });
  }
  const listRoles = (isPredefined: boolean) =>
    roles
      .filter((role) => role.predefined_role === isPredefined)
      .map(({ id, name, permissions }) => ({
        id,
        label: name,
        note: `${permissions.length} permissions`,
        onSelect: () => start(`“${name}”`, permissions),
      }));
  const own = listRoles(false);
  return (
    <Menu
      trigger={
        <>
          Start from…
          <ChevronDown aria-hidden />
        </>
      }
      triggerClassName={composeButtonStyle("secondary")}
      align="end"
      noun="roles"
      sections={[
        {
          entries: [
            { id: "nothing", label: "Nothing", onSelect: () => start("nothing", []) },
            {
              id: "reads",
              label: "All reads",
              note: "Sees everything, changes nothing",
              onSelect: () =>
                start(
                  "all reads",
                  offered.filter((name) => name.endsWith(".read")),
                ),
            },
          ],
        },
        { heading: "Presets", entries: listRoles(true) },
        ...(own.length > 0 ? [{ heading: "Roles of the organization", entries: own }] : []),
      ]}
    />
  );
}

type RoleEditorProps = {
  draft: PermissionDraft;
  /** Name, description, and the list of permissions. */
  children: ReactNode;
  pane: ReactNode;
  /** The bar that saves. */
  footer: ReactNode;
};

/** A role's editor: contents, the list, and what saving changes, which stays in sight. */
export function RoleEditor({ draft, children, pane, footer }: RoleEditorProps) {
  return (
    <>
      <div className="grid border-t lg:grid-cols-[208px_minmax(0,1fr)] xl:grid-cols-[208px_minmax(0,1fr)_424px]">
        <div className="border-r max-lg:hidden">
          <div className="sticky top-(--top-bar) max-h-[calc(100dvh-var(--top-bar))] overflow-y-auto py-3 pr-2">
            <PermissionContents draft={draft} />
          </div>
        </div>
        <div className="min-w-0 px-0 pb-16 sm:px-5">{children}</div>
        <div className="border-l max-xl:col-span-full max-xl:border-t max-xl:border-l-0">
          <div className="overflow-y-auto py-4 xl:sticky xl:top-(--top-bar) xl:max-h-[calc(100dvh-var(--top-bar)-3.5rem)] xl:pl-5">
            {pane}
          </div>
        </div>
      </div>
      <div
        data-saves-at-right
        className="sticky bottom-0 z-20 bg-background max-sm:-mx-4 max-sm:px-4 xl:ml-auto xl:w-[404px]"
      >
        {footer}
      </div>
    </>
  );
}
