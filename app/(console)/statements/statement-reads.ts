export const statementsRead = { pages: "listStatements", parameters: { limit: "60" } } as const;

/** Returns true for a calendar month such as "2026-10". */
export const isMonth = (text: string) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
