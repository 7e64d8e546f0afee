/** Of which projects are listed: `""` for those that are in use. */
export type ProjectStatus = "" | "archived" | "all";

export function projectStatusOf(asked: string): ProjectStatus {
  return asked === "archived" || asked === "all" ? asked : "";
}

// One page is enough for almost everybody. A longer list says so.
export function projectReads(status: ProjectStatus) {
  return [["listProjects", { limit: "1000", ...(status && { include_archived: "true" }) }]] as const;
}
