import type { ConsoleSession } from "./seal-session";

/**
 * What the gateway supports, as found at sign-in: `everything`, or only the specification's four operations, where the
 * two path segments of a rate limit must be typed because nothing can be listed.
 */
export type Offer = "everything" | "specification";

/**
 * A gateway with sessions supports the whole contract; one that only accepted a pasted token may support no more than the
 * specification.
 */
export function offerOf(session: ConsoleSession): Offer {
  return session.kind === "session" ? "everything" : "specification";
}
