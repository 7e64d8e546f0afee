import { Folder } from "lucide-react";
import { EmptyState } from "@/components/ui/states/empty-state";
import { ProjectChoice } from "./project-choice";

type ChooseProjectProps = {
  projects: readonly { id: string; name: string }[];
  level?: 1 | 2;
};

/** Replaces the screen of one project while every project is selected. */
export function ChooseProject({ projects, level = 2 }: ChooseProjectProps) {
  return (
    <EmptyState
      level={level}
      icon={Folder}
      title="Which project?"
      action={<ProjectChoice variant="primary" projects={projects} trigger="Choose a project" />}
    >
      This screen shows one project at a time. The switch in the sidebar leads back to all of them.
    </EmptyState>
  );
}
