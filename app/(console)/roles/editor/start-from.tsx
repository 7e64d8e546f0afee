"use client";

import { ChevronDown } from "lucide-react";
import { listNames } from "@/components/roles/permission-groups";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { composeButtonStyle } from "@/components/ui/compose-button-style";
import { toast } from "@/components/ui/dialog/toast";
import { Menu } from "@/components/ui/menu/menu";
import type { PermissionDraft } from "./compare-draft";

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
