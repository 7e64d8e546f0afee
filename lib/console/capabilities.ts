import type { ConsoleSession } from "./seal-session";

/**
 * What the gateway offers, as far as signing in has shown: `everything`, or the four operations of the specification
 * alone, where the two path segments of a rate limit have to be typed because nothing can be listed.
 */
export type Offer = "everything" | "specification";

/** A gateway with sessions speaks the whole contract; one that only took the pasted token promises no more than the specification. */
export function offerOf(session: ConsoleSession): Offer {
  return session.kind === "session" ? "everything" : "specification";
}
