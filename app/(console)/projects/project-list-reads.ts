/** Which projects are listed; `""` means active ones. */
export type ProjectStatus = "" | "archived" | "all";

export function parseProjectStatus(asked: string): ProjectStatus {
  return asked === "archived" || asked === "all" ? asked : "";
}

// One page is enough for nearly all organizations. The screen says so if there are more.
export function projectReads(status: ProjectStatus) {
  return [["listProjects", { limit: "1000", ...(status && { include_archived: "true" }) }]] as const;
}
