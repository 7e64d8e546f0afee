export const statementsRead = { pages: "listStatements", parameters: { limit: "60" } } as const;
