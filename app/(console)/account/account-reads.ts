const sessions = ["listSessions", { limit: "1000" }] as const;

export const sessionReads = [sessions] as const;

/** The member's sign-in settings and sessions. */
export const signInReads = ["retrieveSignInSettings", sessions] as const;
