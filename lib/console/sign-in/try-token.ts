import { operations } from "@/lib/contract/operation-table";
import { type Connection, TIMEOUT_MS } from "../gateway/gateway-request";
import { readReply } from "../gateway/read-reply";
import { dispatch, hasMediaType } from "../gateway/send-request";

/** Whether a gateway accepts a token, or whether no such gateway answers. */
type TokenVerdict = "accepted" | "refused" | "no gateway";

/** The answers to a call without a body that prove that the token was accepted: an answer, or a refusal of the call. */
const ACCEPTING = [200, 201, 202, 400, 402, 409, 413, 415, 422];
const REFUSING = [401, 403];

/**
 * Tries a token on the specification's operations. A call without a body is refused without effect or cost. Creating a
 * role isn't tried, since a gateway might accept an empty one. Tries both chat and administration, since a token may be
 * valid for only one of them.
 * @throws `fetch`'s errors if the gateway doesn't respond.
 */
export async function tryToken(gateway: Connection, token: string): Promise<TokenVerdict> {
  const connection = { ...gateway, token };
  const tries = [
    () => tryCall(connection, operations.createChatCompletion),
    () => tryCall(connection, operations.createMessage),
    () => tryList(connection),
  ];
  let isRefused = false;
  for (const attempt of tries) {
    const verdict = await attempt();
    if (verdict === "accepted") return verdict;
    isRefused ||= verdict === "refused";
  }
  return isRefused ? "refused" : "no gateway";
}

type TriedCall = (typeof operations)["createChatCompletion" | "createMessage"];

/** No gateway accepts it. */
const WRONG_TOKEN = "wrong-token";

/**
 * A web server may answer any path with a page, which proves nothing. Some gateways write their refusals as pages, too:
 * those refuse another token.
 */
async function tryCall(connection: Connection, operation: TriedCall): Promise<TokenVerdict> {
  const reply = await sendNothing(connection, operation);
  if (REFUSING.includes(reply.status)) return "refused";
  if (!ACCEPTING.includes(reply.status)) return "no gateway";
  if (!hasMediaType(reply, "text/html")) return "accepted";
  const other = await sendNothing({ ...connection, token: WRONG_TOKEN }, operation);
  return REFUSING.includes(other.status) ? "accepted" : "no gateway";
}

async function sendNothing(connection: Connection, operation: TriedCall): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const reply = await dispatch(connection, operation, { body: {}, signal });
  await reply.body?.cancel();
  return reply;
}

/**
 * Tries a list, since it alone proves that the token was accepted: some gateways answer an unknown path as they answer
 * a wrong field.
 */
async function tryList(connection: Connection): Promise<TokenVerdict> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const reply = await dispatch(connection, operations.listRoles, { signal });
  const body = await readReply(reply).catch(() => undefined);
  if (REFUSING.includes(reply.status)) return "refused";
  const isList = typeof body === "object" && body !== null && "data" in body && Array.isArray(body.data);
  return reply.status === 200 && isList ? "accepted" : "no gateway";
}
