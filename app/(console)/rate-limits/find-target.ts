import "server-only";
import { sessionData } from "@/components/queries/session/session-data";
import type { Problem } from "@/lib/console/gateway/problem";

export type Target =
  /** The project whose rate limits are shown. Reading them may still fail. */
  | { kind: "project"; project: { id: string; name: string } }
  /** The gateway can't list projects, so the project is typed. */
  | { kind: "typed" }
  /** There is no project, or every one is selected. */
  | { kind: "none"; choices: readonly { id: string; name: string }[] }
  | { kind: "problem"; problem: Problem };

/** Finds the project whose rate limits are shown: the one selected in the shell. */
export async function findTarget(): Promise<Target> {
  const session = await sessionData();
  const { support, currentProjectId, problem } = session;
  if (support === "specification") return { kind: "typed" };
  if (currentProjectId) {
    const name = session.currentProjectName ?? currentProjectId;
    return { kind: "project", project: { id: currentProjectId, name } };
  }
  if (problem) return { kind: "problem", problem };
  if (!session.isEveryProject && !session.hasNoProject) return { kind: "typed" };
  return { kind: "none", choices: await session.listChoices("api.rate_limits.read") };
}
