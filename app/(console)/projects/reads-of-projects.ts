// One page is enough for almost everybody. A longer list says so.
export const projectReads = [["listProjects", { limit: "1000" }]] as const;
