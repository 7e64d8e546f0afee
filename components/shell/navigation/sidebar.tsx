import { Mark } from "../logo";
import { ProjectMenu } from "../project/project-menu";
import type { ShellActions, ShellData } from "../shell-data";
import { ScreenLinks } from "./screen-links";

type SidebarProps = ShellData & Pick<ShellActions, "selectProject">;

/** The organization, the selected project, and the screens. */
export function Sidebar({
  organizationName,
  projects,
  currentProjectId,
  isEveryProject,
  permissions,
  runningTasks,
  selectProject,
}: SidebarProps) {
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-12 shrink-0 items-center gap-2 px-4 font-semibold max-lg:pr-12">
        <Mark className="size-[18px] shrink-0 text-accent" />
        <span className="truncate">{organizationName}</span>
      </div>
      {projects && (
        <div className="px-2 pb-3">
          <ProjectMenu {...{ projects, currentProjectId, isEveryProject }} onSelect={selectProject} />
        </div>
      )}
      <ScreenLinks permissions={permissions} runningTasks={runningTasks} />
    </div>
  );
}
