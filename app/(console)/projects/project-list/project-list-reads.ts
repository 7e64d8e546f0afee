import { firstRows } from "@/components/queries/reads/whole-list";

/** Which projects are listed; `""` means active ones. */
export type ProjectStatus = "" | "archived" | "all";

export function parseProjectStatus(asked: string): ProjectStatus {
  return asked === "archived" || asked === "all" ? asked : "";
}

/** Returns the read of the list of projects. */
export function projectsRead(status: ProjectStatus) {
  return firstRows("listProjects", { order: "desc", include_archived: status ? "true" : undefined });
}
