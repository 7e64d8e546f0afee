import "server-only";
import type { Problem } from "@/lib/console/problem";
import { sessionData } from "../session-data";

export type Target =
  /** Its rate limits can be listed, or it turns out why not. */
  | { kind: "project"; project: { id: string; name: string } }
  /** Nothing can be listed: the project is typed. */
  | { kind: "typed" }
  /** There is no project. */
  | { kind: "none" }
  | { kind: "problem"; problem: Problem };

/** Whose rate limits the screens show: those of the shell's current project. */
export async function findTarget(): Promise<Target> {
  const { offer, projects, currentProjectId, problem } = await sessionData();
  if (offer === "specification") return { kind: "typed" };
  if (currentProjectId) {
    const name = projects?.find(({ id }) => id === currentProjectId)?.name ?? currentProjectId;
    return { kind: "project", project: { id: currentProjectId, name } };
  }
  if (problem) return { kind: "problem", problem };
  return { kind: projects ? "none" : "typed" };
}
