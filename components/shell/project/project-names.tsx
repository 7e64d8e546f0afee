"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { ShellProject } from "../shell-data";

const Projects = createContext<readonly ShellProject[]>([]);

/** Tells `children` the names of the projects, so that no screen has to send hundreds of them again. */
export function ProjectNamesScope({
  projects,
  children,
}: {
  projects: readonly ShellProject[] | undefined;
  children: ReactNode;
}) {
  return <Projects value={projects ?? []}>{children}</Projects>;
}

/** Returns what gives a project's name by its id; undefined for one that the person can't list. */
export function useProjectNames(): (id: string) => string | undefined {
  const projects = useContext(Projects);
  return (id) => projects.find((project) => project.id === id)?.name;
}
