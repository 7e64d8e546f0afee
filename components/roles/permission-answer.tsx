"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/states/skeleton";
import type { PermissionExplanation } from "@/lib/contract/operations/people/permissions";
import type { Project } from "./principal";
import { describeScope } from "./principal";

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

type Path = PermissionExplanation["paths"][number];
type FindName = (projectId: string) => string;

/** Says where a permission is or would be held. */
function describeHeldIn(projectId: string | null, findName: FindName): string {
  return describeScope(projectId === null ? null : { name: findName(projectId) });
}

/** Describes one path by which a permission is held. */
export function describePath({ role, held_by, project_id }: Path, findName: FindName): string {
  const origin = held_by.type === "group" ? `through the group ${held_by.name}` : "held directly";
  return `By the role ${role.name}, ${origin}, ${describeHeldIn(project_id, findName)}.`;
}

/** Says which role would grant the missing permission. A list below shows what else it would grant. */
export function describeRemedy(least: PermissionExplanation["least_role"], findName: FindName): string {
  if (!least) return "No role that can be held there allows it.";
  const { role, project_id, also_grants: others } = least;
  const remedy = `The role ${role.name} ${describeHeldIn(project_id, findName)} would allow it`;
  if (others.length === 0) return `${remedy}, and nothing besides.`;
  return `${remedy}, and ${others.length === 1 ? "one thing" : `${others.length} things`} besides:`;
}
