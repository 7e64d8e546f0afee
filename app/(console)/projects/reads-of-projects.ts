// More than anyone looks through; a list that still has more says so.
export const projectReads = [["listProjects", { limit: "1000" }]] as const;
