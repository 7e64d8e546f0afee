import { Mark } from "../logo";
import type { ShellData } from "../shell-data";
import { ScreenLinks } from "./screen-links";

type SidebarProps = Pick<ShellData, "organizationName" | "permissions" | "runningTasks">;

/** The organization, and the entries. */
export function Sidebar({ organizationName, permissions, runningTasks }: SidebarProps) {
  return (
    <div className="flex h-full flex-col">
      <div className="mt-2 mb-2 flex h-10 shrink-0 items-center gap-[9px] px-4 font-semibold max-lg:pr-12">
        <Mark className="size-[17px] shrink-0 text-accent" />
        <span className="truncate">{organizationName}</span>
      </div>
      <ScreenLinks permissions={permissions} runningTasks={runningTasks} />
    </div>
  );
}
