import { findKeyKind } from "@/lib/contract/access/secret-keys";
import { DAY_S } from "@/lib/contract/durations";
import { operations } from "@/lib/contract/operation-table";
import type { Session } from "@/lib/contract/operations/sign-in/sessions";
import { buildUnreachable } from "../gateway/build-failure";
import { type Connection, TIMEOUT_MS } from "../gateway/gateway-request";
import { createProblem, type GatewayReply, type Problem } from "../gateway/problem";
import { readReply } from "../gateway/read-reply";
import { dispatch, hasMediaType, sendRequest } from "../gateway/send-request";
import type { NewSession } from "./seal-session";

/** A pasted token's expiry is unknown, so the console asks for it again after a day. */
const PASTED_TOKEN_S = DAY_S;

/**
 * Exchanges a pasted key for a session. With a gateway without sessions, the key itself becomes the session's token
 * once the gateway has accepted it.
 */
export async function signInWithKey(
  gateway: Connection,
  key: string,
  nowMs: number,
): Promise<GatewayReply<NewSession>> {
  const fault = findKeyFault(key);
  if (fault) return refuseKey(fault);
  const reply = await sendRequest(gateway, operations.createSession, { body: { key } });
  if (reply.ok) return { ...reply, data: toNewSession(reply.data) };
  const { code } = reply.problem;
  // A gateway without sessions may answer with any status or content: a 401 for every path, an HTML page, an error.
  const isForeign = code === "unsupported" || (!key.startsWith("gk_") && code !== "unreachable");
  if (isForeign) return signInWithToken(gateway, key, nowMs);
  if (code !== "unauthenticated") return reply;
  return refuseKey("The gateway does not accept this key: it is unknown, revoked or expired.");
}

/** Exchanges the token of a one-time sign-in link for a session. */
export async function signInWithLink(gateway: Connection, token: string): Promise<GatewayReply<NewSession>> {
  const reply = await sendRequest(gateway, operations.createSession, { body: { sign_in_token: token } });
  if (reply.ok) return { ...reply, data: toNewSession(reply.data) };
  const { code } = reply.problem;
  if (code !== "unauthenticated" && code !== "invalid") return reply;
  return failSignIn(
    "invalid",
    "This sign-in link has been used already or has expired. Make a new one with “npm run sign-in-link”, or paste an admin key.",
  );
}

/** The fault in a key's form; null for a form that another gateway may use. */
function findKeyFault(key: string): string | null {
  if (!/^[!-~]+$/.test(key)) return "A key has no spaces or special characters: copy it once more.";
  if (!key.startsWith("gk_")) return null;
  const kind = findKeyKind(key);
  if (kind === null) return "This key is mistyped or cut off: its checksum does not fit. Copy it once more.";
  if (kind === "gk_live_") {
    return "This is a project key, with which programs call models. Signing in takes an admin key (gk_admin_…).";
  }
  return null;
}

/** Uses the pasted token as the session's, once the gateway has accepted it. */
async function signInWithToken(
  gateway: Connection,
  token: string,
  nowMs: number,
): Promise<GatewayReply<NewSession>> {
  try {
    const verdict = await tryToken(gateway, token);
    if (verdict === "refused") return refuseKey("The gateway does not accept this token.");
    if (verdict === "no gateway")
      return failSignIn(
        "failed",
        `What answers at ${gateway.url} is not a model gateway: check GATEWAY_URL.`,
      );
    const expiresAt = Math.floor(nowMs / 1000) + PASTED_TOKEN_S;
    return { ok: true, data: { kind: "token", token, expiresAt }, requestId: null };
  } catch (error) {
    return { ok: false, problem: buildUnreachable(gateway, error) };
  }
}

/** A session of the gateway as the console keeps it. */
export function toNewSession({ token, expires_at, device_token: deviceToken }: Session): NewSession {
  return { kind: "session", token, expiresAt: expires_at, ...(deviceToken && { deviceToken }) };
}

/** A fault of the key, shown at its field. */
function refuseKey(message: string): { ok: false; problem: Problem } {
  return { ok: false, problem: createProblem("invalid", message, { fields: { key: message } }) };
}

function failSignIn(code: "invalid" | "failed", message: string): { ok: false; problem: Problem } {
  return { ok: false, problem: createProblem(code, message) };
}

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
async function tryToken(gateway: Connection, token: string): Promise<TokenVerdict> {
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
