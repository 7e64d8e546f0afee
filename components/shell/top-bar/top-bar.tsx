import { SidebarSheet } from "../navigation/sidebar-sheet";
import { CommandLauncher } from "../palette/command-launcher";
import type { ShellActions, ShellData } from "../shell-data";
import { Breadcrumb } from "./breadcrumb";
import { EnvironmentBadge } from "./environment-badge";
import { PersonMenu } from "./person-menu";
import { ThemeMenu } from "./theme-menu";

/** Breadcrumb, search, environment, theme and person. */
export function TopBar(shell: ShellData & ShellActions) {
  const { signOut, environment, person, apiNames } = shell;
  return (
    <header className="sticky top-(--view-bar) z-20 flex h-12 items-center gap-2 border-b bg-background px-2 sm:px-4 lg:px-6 print:hidden">
      <SidebarSheet {...shell} />
      <Breadcrumb {...shell} />
      <div className="flex shrink-0 items-center gap-1 sm:gap-2">
        <EnvironmentBadge environment={environment} className="max-md:hidden" />
        <CommandLauncher
          projects={shell.projects ?? []}
          permissions={shell.permissions}
          findObjects={shell.findObjects}
          signOut={signOut}
        />
        <ThemeMenu />
        <PersonMenu person={person} apiNames={apiNames} signOut={signOut} />
      </div>
    </header>
  );
}
