import "server-only";
import { sessionOfProject } from "@/components/object-page/project-list-page";
import type { Problem } from "@/lib/console/gateway/problem";

export type Target =
  /** The project whose rate limits are shown. Reading them may still fail. */
  | { kind: "project"; project: { id: string; name: string } }
  /** The gateway can't list projects, so the project is typed. */
  | { kind: "typed" }
  /** There is no project. */
  | { kind: "none" }
  /** Every one is shown. */
  | { kind: "every" }
  /** The address names a project that isn't there. */
  | { kind: "unknown" }
  | { kind: "problem"; problem: Problem };

/** Finds the project whose rate limits are shown: the one in the address. */
export async function findTarget(params: Promise<{ id: string }>): Promise<Target> {
  const session = await sessionOfProject(params);
  const { support, currentProjectId, problem } = session;
  if (support === "specification") return { kind: "typed" };
  if (currentProjectId) {
    const name = session.currentProjectName ?? currentProjectId;
    return { kind: "project", project: { id: currentProjectId, name } };
  }
  if (session.isUnknownProject) return { kind: "unknown" };
  if (problem) return { kind: "problem", problem };
  if (session.hasNoProject) return { kind: "none" };
  if (!session.isEveryProject) return { kind: "typed" };
  return { kind: "every" };
}
