"use client";

import { usePathname } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect } from "react";
import { EVERY_PROJECT } from "@/lib/console/every-project";
import { findProjectIn } from "@/lib/console/paths";
import { usePendingPath } from "../navigation/pending-screen";
import type { Screen } from "../navigation/screen";
import type { ShellData, ShellProject } from "../shell-data";

type Projects = { projects: readonly ShellProject[]; lastProject: string | undefined };

const ProjectsContext = createContext<Projects>({ projects: [], lastProject: undefined });

/** What the addresses in this tab named last. Set in the browser alone. */
let lastHere: string | undefined;

/** Tells `children` the projects, so that no screen has to send hundreds of them again. */
export function ShellProjects({
  projects = [],
  lastProject,
  children,
}: Pick<ShellData, "projects" | "lastProject"> & { children: ReactNode }) {
  const pathname = usePathname();
  useEffect(() => {
    lastHere = findShown(pathname, projects) ?? lastHere;
  }, [pathname, projects]);
  return <ProjectsContext value={{ projects, lastProject }}>{children}</ProjectsContext>;
}

/** Returns a lookup of project names by id; undefined for a project that the person can't list. */
export function useProjectNames(): (id: string) => string | undefined {
  const { projects } = useContext(ProjectsContext);
  return (id) => projects.find((project) => project.id === id)?.name;
}

/** Returns the project that links lead to: the one that is shown or was shown last, which may be `EVERY_PROJECT`. */
function useShownProject(): string {
  const { projects, lastProject } = useContext(ProjectsContext);
  const pathname = usePathname();
  return findShown(usePendingPath() ?? pathname, projects) ?? lastHere ?? lastProject ?? EVERY_PROJECT;
}

/** Returns the project of a screen, or that of its own page unless it is archived: links of that one lead nowhere. */
function findShown(pathname: string, projects: readonly ShellProject[]): string | undefined {
  const own = findProjectIn(`${pathname}/`);
  return findProjectIn(pathname) ?? projects.find(({ id }) => id === own)?.id;
}

/** Returns the one project that links lead to; `EVERY_PROJECT`, whose screen lets people choose, if there is none. */
export function useLinkedProject(): string {
  const shown = useShownProject();
  const { projects } = useContext(ProjectsContext);
  return shown === EVERY_PROJECT ? (projects[0]?.id ?? EVERY_PROJECT) : shown;
}

/** Returns what gives a screen's address, in the project that links lead to. */
export function useScreenAddress(): (screen: Pick<Screen, "address" | "shows">) => string {
  const shown = useShownProject();
  const one = useLinkedProject();
  return ({ address, shows }) => address(shows === "one project" ? one : shown);
}
