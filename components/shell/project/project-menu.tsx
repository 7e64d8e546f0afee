"use client";

import { ChevronDown, Folder } from "lucide-react";
import { useTransition } from "react";
import { EVERY_PROJECT } from "@/lib/console/every-project";
import { paths } from "@/lib/console/paths";
import { confirmLeave } from "../../ui/dialog/unsaved";
import { Menu } from "../../ui/menu/menu";
import type { MenuEntry } from "../../ui/menu/menu-item";
import { Spinner } from "../../ui/spinner";
import type { ShellActions, ShellProject } from "../shell-data";
import { tellIfRefused } from "../tell-if-refused";

type ProjectMenuProps = {
  projects: readonly ShellProject[];
  currentProjectId: string | undefined;
  isEveryProject: boolean;
  /** True where those of every project can be shown together. */
  offersAll: boolean;
  onSelect: ShellActions["selectProject"];
};

/** Selects the project that the screens show, or every one. */
export function ProjectMenu({
  projects,
  currentProjectId,
  isEveryProject,
  offersAll,
  onSelect,
}: ProjectMenuProps) {
  const [pending, startTransition] = useTransition();
  const current = projects.find((project) => project.id === currentProjectId);
  const choose = (id: string) =>
    confirmLeave(() =>
      startTransition(async () => {
        await tellIfRefused(() => onSelect(id), "project switch");
      }),
    );
  const every = {
    id: EVERY_PROJECT,
    label: "All projects",
    choice: { kind: "one" as const, isChosen: isEveryProject },
    onSelect: () => choose(EVERY_PROJECT),
  };
  const entries = projects.map(
    (project): MenuEntry => ({
      id: project.id,
      label: project.name,
      note: project.id,
      choice: { kind: "one", isChosen: project.id === currentProjectId },
      onSelect: () => choose(project.id),
    }),
  );
  const chosenName = current?.name ?? (isEveryProject && offersAll ? "All projects" : null);
  const manage = {
    id: "manage",
    label: projects.length === 0 ? "Create a project" : "Manage projects",
    icon: Folder,
    href: paths.projects(),
  };

  return (
    <Menu
      noun="projects"
      label={`Project: ${chosenName ?? "none"}. Switch project`}
      sections={[
        ...(offersAll && projects.length > 1 ? [{ entries: [every] }] : []),
        ...(entries.length > 0 ? [{ heading: "Projects", entries }] : []),
        { entries: [manage] },
      ]}
      triggerClassName="flex h-7 min-w-0 max-w-60 items-center gap-1.5 rounded-md border bg-surface px-2 text-left hover:bg-default max-sm:max-w-36 pointer-coarse:h-11"
      trigger={
        <>
          <span className="min-w-0 flex-1 truncate">
            {chosenName ?? (isEveryProject ? "Choose a project" : "No project")}
          </span>
          {pending ? <Spinner /> : <ChevronDown aria-hidden className="size-3.5 shrink-0 text-muted" />}
        </>
      }
    />
  );
}
