import "server-only";
import { operations } from "@/lib/contract/operation-table";
import type { SignInMethods } from "@/lib/contract/operations/sign-in/sign-in";
import { anonymousConnection } from "../gateway/gateway-client";
import { type Connection, SHORT_TIMEOUT_MS } from "../gateway/gateway-request";
import type { GatewayReply } from "../gateway/problem";
import { sendRequest } from "../gateway/send-request";
import type { ConsoleSession } from "./seal-session";

/** The gateway's sign-in methods; `unsupported` if it accepts keys only. */
export async function readSignInMethods(): Promise<GatewayReply<SignInMethods>> {
  const timeoutMs = SHORT_TIMEOUT_MS;
  return sendRequest(await anonymousConnection(), operations.retrieveSignInMethods, { timeoutMs });
}

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

/**
 * Whether anything answers at the gateway's address. Any reply counts, since `/healthz` is not in the specification.
 */
export async function gatewayAnswers({ url }: Connection): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/healthz`, {
      signal: AbortSignal.timeout(SHORT_TIMEOUT_MS),
      cache: "no-store",
      redirect: "manual",
    });
    await reply.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
