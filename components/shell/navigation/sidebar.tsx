import type { ShellData } from "../shell-data";
import { OrganizationMenu } from "./organization-menu";
import { ScreenLinks } from "./screen-links";

type SidebarProps = Pick<ShellData, "organizationName" | "organizationLogo" | "permissions" | "runningTasks">;

/** The organization with its menu, and the entries. */
export function Sidebar({ organizationName, organizationLogo, permissions, runningTasks }: SidebarProps) {
  return (
    <div className="flex h-full flex-col">
      <div className="mt-2 mb-2 px-2 max-lg:pr-12">
        <OrganizationMenu {...{ organizationName, organizationLogo, permissions }} />
      </div>
      <ScreenLinks permissions={permissions} runningTasks={runningTasks} />
    </div>
  );
}
