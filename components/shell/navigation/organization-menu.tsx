"use client";

import { BookOpen, ChevronDown, Settings, UserPlus } from "lucide-react";
import { OrganizationMark } from "@/components/shell/logo";
import { paths } from "@/lib/console/paths";
import { Menu } from "../../ui/menu/menu";
import type { ShellData } from "../shell-data";

type OrganizationMenuProps = Pick<ShellData, "organizationName" | "organizationLogo" | "permissions">;

/** Leads to what belongs to the organization as a whole, as far as the person may. */
export function OrganizationMenu({ organizationName, organizationLogo, permissions }: OrganizationMenuProps) {
  const may = (permission: string) => permissions?.organization.includes(permission) ?? true;
  return (
    <Menu
      label={`${organizationName}: organization menu`}
      triggerClassName="flex h-10 w-full min-w-0 items-center gap-[9px] rounded-md px-2 text-left font-semibold hover:bg-default pointer-coarse:h-11"
      trigger={
        <>
          <OrganizationMark logo={organizationLogo} />
          <span className="truncate">{organizationName}</span>
          <ChevronDown aria-hidden className="ml-auto size-3.5 shrink-0 text-muted" />
        </>
      }
      sections={[
        {
          entries: [
            ...(may("api.organization.write")
              ? [
                  {
                    id: "settings",
                    label: "Organization settings",
                    icon: Settings,
                    href: paths.organization(),
                  },
                ]
              : []),
            ...(may("api.invites.write")
              ? [
                  {
                    id: "invite",
                    label: "Invite members",
                    icon: UserPlus,
                    href: paths.members({ open: "new-invite" }),
                  },
                ]
              : []),
            { id: "guide", label: "Guide", icon: BookOpen, href: paths.guide() },
          ],
        },
      ]}
    />
  );
}
