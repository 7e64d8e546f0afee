"use client";

import { ChevronsUpDown, Folder } from "lucide-react";
import { useTransition } from "react";
import { paths } from "@/lib/console/paths";
import { confirmLeave } from "../form/unsaved";
import { Menu } from "../ui/menu";
import type { MenuEntry } from "../ui/menu-item";
import { Spinner } from "../ui/spinner";
import type { ShellActions, ShellProject } from "./shell-data";

type ProjectMenuProps = {
  projects: readonly ShellProject[];
  currentProjectId: string | undefined;
  onSelect: ShellActions["selectProject"];
};

/** Selects the project that the screens show. */
export function ProjectMenu({ projects, currentProjectId, onSelect }: ProjectMenuProps) {
  const [pending, startTransition] = useTransition();
  const current = projects.find((project) => project.id === currentProjectId);
  const entries = projects.map(
    (project): MenuEntry => ({
      id: project.id,
      label: project.name,
      note: project.id,
      isChosen: project.id === currentProjectId,
      onSelect: () => confirmLeave(() => startTransition(() => onSelect(project.id))),
    }),
  );
  const manage = {
    id: "manage",
    label: projects.length === 0 ? "Create a project" : "All projects",
    icon: Folder,
    href: paths.projects(),
  };

  return (
    <Menu
      noun="projects"
      label={`Project: ${current?.name ?? "none"}. Switch project`}
      sections={[...(entries.length > 0 ? [{ heading: "Projects", entries }] : []), { entries: [manage] }]}
      triggerClassName="flex h-9 w-full items-center gap-2 rounded-md border border-field-border bg-surface px-2.5 text-left hover:bg-default pointer-coarse:h-11"
      trigger={
        <>
          <span className="min-w-0 flex-1 truncate font-medium">{current?.name ?? "No project"}</span>
          {pending ? <Spinner /> : <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />}
        </>
      }
    />
  );
}
