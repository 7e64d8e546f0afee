import { Folder } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { paths } from "@/lib/console/paths";

type NoProjectProps = {
  /** Explains why the screen needs a project. */
  children: ReactNode;
  level?: 1 | 2;
};

/** Replaces a project's screen if there is no project. */
export function NoProject({ children, level = 2 }: NoProjectProps) {
  return (
    <EmptyState
      level={level}
      icon={Folder}
      title="No projects yet"
      action={
        <LinkButton variant="primary" href={paths.projects()}>
          Create a project
        </LinkButton>
      }
      example="For example, “checkout” or “research”, each with its own keys and rate limits."
    >
      {children}
    </EmptyState>
  );
}
