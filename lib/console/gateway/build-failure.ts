import {
  type AnyOperation,
  buildRequestPath,
  type Connection,
  type LooseRequest,
  TIMEOUT_MS,
} from "./gateway-request";
import { createProblem, type Problem } from "./problem";
import { readProblem } from "./read-problem";
import { ReplyTooLarge } from "./read-reply";

const STALE_DELETE =
  "Somebody else changed this after you opened the page. Look at it again before you remove it.";

/** The problem of a reply that is not a success. */
export function buildRefusal(
  response: Pick<Response, "status" | "headers">,
  body: unknown,
  operation: AnyOperation,
  request: LooseRequest,
): Problem {
  if (response.status >= 300 && response.status < 400) {
    return createProblem(
      "failed",
      `The gateway answered with a redirect to ${response.headers.get("location") ?? "another address"}, which is not followed. Set GATEWAY_URL to the final address.`,
    );
  }
  const problem = readProblem({
    status: response.status,
    headers: response.headers,
    body,
    endpoint: `${operation.method} ${buildRequestPath(operation, request)}`,
    operationId: operation.id,
  });
  if (problem.code !== "stale" || problem.current.state !== "changed") return problem;
  // The reply of a deletion doesn't describe the object.
  if (operation.effect === "deletes")
    return { ...problem, message: STALE_DELETE, current: { state: "unreadable" } };
  const current = operation.reply.safeParse(problem.current.object);
  return {
    ...problem,
    current: current.success ? { state: "changed", object: current.data } : { state: "unreadable" },
  };
}

/** The problem of a request that got no reply. Says what to do if a change may have been made all the same. */
export function buildNoReply(
  connection: Connection,
  error: unknown,
  { effect }: Pick<AnyOperation, "effect">,
  { headers, timeoutMs }: Pick<LooseRequest, "headers" | "timeoutMs">,
): Problem {
  if (error instanceof ReplyTooLarge) return createProblem("failed", error.message);
  const problem = buildUnreachable(connection, error, timeoutMs);
  if (!effect || !(isLate(error) || isBroken(error))) return problem;
  const advice = headers?.["idempotency-key"]
    ? "Send this again: it is saved only once."
    : "Reload the page to see it before you try again.";
  return { ...problem, message: `${problem.message} It may have been saved. ${advice}` };
}

const isLate = (error: unknown) => error instanceof Error && error.name === "TimeoutError";

/**
 * Codes for a connection that was made and then lost, of Node's sockets, and of its `fetch`, as a cause.
 * https://nodejs.org/api/errors.html#common-system-errors, https://undici.nodejs.org/#/docs/api/Errors
 */
const broken = new Set([
  "ECONNRESET",
  "EPIPE",
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/** Whether the connection was lost after the request may have arrived. */
function isBroken(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : null;
  return cause instanceof Error && "code" in cause && broken.has(String(cause.code));
}

/** No gateway answered, or not in time. */
export function buildUnreachable(connection: Connection, error: unknown, timeoutMs?: number | null): Problem {
  return createProblem("unreachable", describeNoReply(connection.url, error, timeoutMs));
}

function describeNoReply(url: string, error: unknown, timeoutMs: number | null | undefined): string {
  if (isLate(error))
    return `The gateway at ${url} did not answer within ${(timeoutMs ?? TIMEOUT_MS) / 1000} seconds.`;
  return isBroken(error)
    ? `The connection to the gateway at ${url} broke off.`
    : `No gateway answers at ${url}.`;
}
