const sessions = ["listSessions", { limit: "1000" }] as const;

export const sessionReads = [sessions] as const;

/** How the member signs in, and where they are signed in. */
export const memberReads = ["retrieveSignInSettings", sessions] as const;
