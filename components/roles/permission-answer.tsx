"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Skeleton } from "@/components/ui/states/skeleton";
import { Explanation } from "./explanation";
import type { Project } from "./principal";

type PermissionAnswerProps = {
  userId: string;
  permission: string;
  /** "" for the organization. */
  projectId: string;
  projects: readonly Project[];
};

/** Whether a member holds a permission, why, and the least that would let them. */
export function PermissionAnswer({ userId, permission, projectId, projects }: PermissionAnswerProps) {
  const parameters = { user_id: userId, permission, project_id: projectId };
  const answer = useRead("explainPermission", parameters);
  return (
    <ReadState read={answer} to="explain the permission" skeleton={<Skeleton className="h-16 w-full" />}>
      {(explanation) => <Explanation explanation={explanation} projects={projects} />}
    </ReadState>
  );
}
