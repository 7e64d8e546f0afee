"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/states/skeleton";
import type { PermissionExplanation } from "@/lib/contract/operations/people/permissions";
import { describeHeldIn, describePath, describeRemedy } from "./describe-explanation";
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

type ExplanationProps = { explanation: PermissionExplanation; projects: readonly Project[] };

/** Describes why somebody has a permission, or what is missing. */
function Explanation({ explanation, projects }: ExplanationProps) {
  const { granted, principal, permission, sentence, project_id, paths, least_role } = explanation;
  const findProjectName = (id: string) => projects.find((project) => project.id === id)?.name ?? id;
  const scope = describeHeldIn(project_id, findProjectName);
  return (
    <Notice
      tone={granted ? "good" : "neutral"}
      title={granted ? `Yes, ${principal.name} may, ${scope}.` : `No, ${principal.name} may not, ${scope}.`}
    >
      <p>
        {sentence} <code className="font-mono text-xs break-all">{permission}</code>
      </p>
      {granted ? (
        <ul className="mt-2 grid gap-1 text-foreground">
          {paths.map((path) => (
            <li key={`${path.role.id} ${path.held_by.id} ${path.project_id}`}>
              {describePath(path, findProjectName)}
            </li>
          ))}
        </ul>
      ) : (
        <>
          <p className="mt-2 text-foreground">{describeRemedy(least_role, findProjectName)}</p>
          {least_role && least_role.also_grants.length > 0 && (
            <ul aria-label="What it would allow besides" className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
              {least_role.also_grants.map((name) => (
                <li key={name}>
                  <code className="font-mono text-xs break-all">{name}</code>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Notice>
  );
}
