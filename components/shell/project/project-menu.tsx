"use client";

import { ChevronDown, Folder } from "lucide-react";
import { EVERY_PROJECT } from "@/lib/console/every-project";
import { paths } from "@/lib/console/paths";
import { confirmLeave } from "../../ui/dialog/unsaved";
import { Menu } from "../../ui/menu/menu";
import type { MenuEntry } from "../../ui/menu/menu-item";
import type { ShellProject } from "../shell-data";

type ProjectMenuProps = {
  projects: readonly ShellProject[];
  /** The project in the address, or `EVERY_PROJECT`. */
  shown: string;
  /** True where the screen shows those of every project as well. */
  offersAll: boolean;
  /** Opens the screen in a project, or in every one. */
  goToProject: (id: string) => void;
};

/** Opens the same screen in another project, or in all of them. */
export function ProjectMenu({ projects, shown, offersAll, goToProject }: ProjectMenuProps) {
  const offer = (id: string, label: string): MenuEntry => ({
    id,
    label,
    ...(id !== EVERY_PROJECT && { note: id }),
    choice: { kind: "one", isChosen: id === shown },
    onSelect: () => confirmLeave(() => goToProject(id)),
  });
  const entries = projects.map(({ id, name }) => offer(id, name));
  const name =
    projects.find(({ id }) => id === shown)?.name ??
    // A person with one project sees that one, whichever way they came.
    (shown === EVERY_PROJECT && projects.length === 1 ? projects[0]?.name : undefined);
  const every = shown === EVERY_PROJECT && projects.length > 1;
  const label = name ?? (every ? (offersAll ? "All projects" : "Choose a project") : "No project");
  const manage = {
    id: "manage",
    label: projects.length === 0 ? "Create a project" : "Manage projects",
    icon: Folder,
    href: paths.projects(),
  };
  return (
    <Menu
      noun="projects"
      label={`Project: ${label}. Switch project`}
      sections={[
        ...(offersAll && projects.length > 1 ? [{ entries: [offer(EVERY_PROJECT, "All projects")] }] : []),
        ...(entries.length > 0 ? [{ heading: "Projects", entries }] : []),
        { entries: [manage] },
      ]}
      triggerClassName="flex h-7 min-w-0 max-w-60 items-center gap-1.5 rounded-md border bg-surface px-2 text-left hover:bg-default max-sm:max-w-36 pointer-coarse:h-11"
      trigger={
        <>
          <span className="min-w-0 flex-1 truncate">{label}</span>
          <ChevronDown aria-hidden className="size-3.5 shrink-0 text-muted" />
        </>
      }
    />
  );
}
