"use client";

import { Folder } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { EmptyState } from "@/components/ui/states/empty-state";
import { inAnotherProject } from "@/lib/console/paths";
import { ProjectChoice } from "./project-choice";

type ChooseProjectProps = {
  projects: readonly { id: string; name: string }[];
  level?: 1 | 2;
};

/** Replaces the screen of one project where the address names all. */
export function ChooseProject({ projects, level = 2 }: ChooseProjectProps) {
  const pathname = usePathname();
  const query = useSearchParams().toString();
  const address = (project: string) =>
    inAnotherProject(pathname, project) + (query === "" ? "" : `?${query}`);
  return (
    <EmptyState
      level={level}
      icon={Folder}
      title="Which project?"
      action={
        <ProjectChoice variant="primary" projects={projects} trigger="Choose a project" address={address} />
      }
    >
      This screen shows one project at a time.
    </EmptyState>
  );
}
