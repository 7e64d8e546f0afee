import { operations } from "@/lib/contract/operation-table";
import type { Connection } from "../gateway/gateway-request";
import { dispatch } from "../gateway/send-request";

/** Whether a gateway accepts a token, or whether no such gateway answers. */
export type TokenVerdict = "accepted" | "refused" | "no gateway";

const PATIENCE_MS = 15_000;

/** Statuses that prove that the token was accepted: a success, or a refusal after authentication. */
const LET_IN = [200, 201, 202, 400, 402, 409, 413, 415, 422, 429];
const SHUT_OUT = [401, 403];

/**
 * Tries a token on the specification's operations. A call without a body is refused without effect or cost. Creating a
 * role isn't tried, since a gateway might accept an empty one. Tries both chat and administration, since a token may be
 * valid for only one of them.
 * @throws `fetch`'s errors if the gateway doesn't respond.
 */
export async function tryToken(gateway: Connection, token: string): Promise<TokenVerdict> {
  const connection = { ...gateway, token };
  const tries = [
    () => ask(connection, operations.createChatCompletion, {}),
    () => ask(connection, operations.createMessage, {}),
    () => ask(connection, operations.listRoles, undefined),
  ];
  let isShutOut = false;
  for (const attempt of tries) {
    const status = await attempt();
    if (LET_IN.includes(status)) return "accepted";
    isShutOut ||= SHUT_OUT.includes(status);
  }
  return isShutOut ? "refused" : "no gateway";
}

/** The reply's status; 404 for an HTML page, which a web server may return for any path. */
async function ask(
  connection: Connection,
  operation: (typeof operations)["createChatCompletion" | "createMessage" | "listRoles"],
  body: object | undefined,
): Promise<number> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const reply = await dispatch(connection, operation, { body, signal });
  await reply.body?.cancel();
  const isPage = reply.headers.get("content-type")?.startsWith("text/html") ?? false;
  return isPage && !SHUT_OUT.includes(reply.status) ? 404 : reply.status;
}
