import type { ConsoleSession } from "./seal-session";

/**
 * The operations that the gateway supports, as detected at sign-in: all, or only the four of the specification. In the
 * latter case nothing can be listed, so people type both path segments of a rate limit.
 */
export type GatewaySupport = "everything" | "specification";

/**
 * Returns what the session's gateway supports. A gateway with sessions supports the whole contract; one that only
 * accepted a pasted token may support only the specification.
 */
export function findGatewaySupport(session: ConsoleSession): GatewaySupport {
  return session.kind === "session" ? "everything" : "specification";
}
