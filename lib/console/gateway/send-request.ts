import { buildNoReply, buildRefusal } from "./build-failure";
import {
  type AnyOperation,
  type Connection,
  type GatewayRequest,
  type LooseRequest,
  type OperationReply,
  TIMEOUT_MS,
} from "./gateway-request";
import { createProblem, type GatewayReply } from "./problem";
import { readReply } from "./read-reply";
import { buildRequestUrl, findPathFaults } from "./request-url";

/** Sends one request and reads its whole reply. Never throws. */
export async function sendRequest<Op extends AnyOperation>(
  connection: Connection,
  operation: Op,
  request: GatewayRequest<Op>,
): Promise<GatewayReply<OperationReply<Op>>> {
  return sendLooseRequest<OperationReply<Op>>(connection, operation, request as LooseRequest);
}

/** Like `sendRequest`, for an operation and a request that are only known at run time. */
export async function sendLooseRequest<Data>(
  connection: Connection,
  operation: AnyOperation,
  request: LooseRequest,
): Promise<GatewayReply<Data>> {
  const fields = findPathFaults(operation, request);
  const faulty = Object.keys(fields);
  if (faulty.length > 0) {
    return {
      ok: false,
      problem: createProblem("invalid", `${faulty.join(", ")} must be an id.`, { fields }),
    };
  }
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    const response = await dispatch(connection, operation, { ...request, signal });
    const body = await readReply(response);
    if (!response.ok) return { ok: false, problem: buildRefusal(response, body, operation, request) };
    const requestId = response.headers.get("x-request-id");
    // Checking a thousand rows takes longer than reading them.
    if (connection.isEmbedded && body !== undefined) return { ok: true, data: body as Data, requestId };
    return parseReply<Data>(operation, body, requestId);
  } catch (error) {
    return { ok: false, problem: buildNoReply(connection, error, operation, request) };
  }
}

/**
 * Sends one request and returns the reply as soon as its head arrives, for streamed bodies.
 * @throws `fetch`'s errors: no connection, or the request's own signal.
 */
export function dispatch(
  connection: Connection,
  operation: AnyOperation,
  request: LooseRequest,
): Promise<Response> {
  return fetch(buildRequestUrl(connection.url, operation, request), {
    method: operation.method,
    headers: {
      accept: "application/json, text/event-stream",
      ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      ...connection.headers,
      ...request.headers,
      ...(connection.token === null ? {} : { authorization: `Bearer ${connection.token}` }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    ...(request.signal ? { signal: request.signal } : {}),
    cache: "no-store",
    // A redirect would send the token to an address that isn't configured.
    redirect: "manual",
  });
}

function parseReply<Data>(
  operation: AnyOperation,
  body: unknown,
  requestId: string | null,
): GatewayReply<Data> {
  const result = operation.reply.safeParse(body);
  if (result.success) return { ok: true, data: result.data as Data, requestId };
  const where = result.error.issues[0]?.path.join(".");
  const message =
    body === undefined
      ? "The gateway accepted the request, but its reply is not JSON."
      : `The gateway accepted the request, but its reply is not of the agreed shape${where ? ` (at ${where})` : ""}.`;
  return { ok: false, problem: createProblem("failed", message, { requestId }) };
}
