import { buildNoReply, buildRefusal, buildUnreachable } from "./build-failure";
import {
  type AnyOperation,
  buildRequestPath,
  buildRequestUrl,
  type Connection,
  findPathFaults,
  type GatewayRequest,
  type LooseRequest,
  type OperationReply,
  type RawRequestBody,
  TIMEOUT_MS,
} from "./gateway-request";
import { getReply, type WholeReply } from "./get-reply";
import { createProblem, type GatewayReply, type Problem } from "./problem";
import { parseReplyText, readReply, readText } from "./read-reply";

const RANGE_NOT_SATISFIABLE = 416;

/** Sends one request and reads its whole reply. Never throws. */
export async function sendRequest<Op extends AnyOperation>(
  connection: Connection,
  operation: Op,
  request: GatewayRequest<Op>,
): Promise<GatewayReply<OperationReply<Op>>> {
  return sendLooseRequest<OperationReply<Op>>(connection, operation, request as LooseRequest);
}

/** The same for an operation and a request that are only known at run time. */
export async function sendLooseRequest<Data>(
  connection: Connection,
  operation: AnyOperation,
  request: LooseRequest,
): Promise<GatewayReply<Data>> {
  const fault = findPathProblem(operation, request);
  if (fault) return { ok: false, problem: fault };
  try {
    const reply = await fetchWhole(connection, operation, { ...request, signal: limitTime(request) });
    const body = parseReplyText(reply.text);
    if (reply.status < 200 || reply.status >= 300)
      return { ok: false, problem: buildRefusal(reply, body, operation, request) };
    const requestId = reply.headers.get("x-request-id");
    // Checking a thousand rows takes longer than reading them.
    if (connection.isEmbedded && body !== undefined) return { ok: true, data: body as Data, requestId };
    return parseReply<Data>(operation, body, requestId);
  } catch (error) {
    return { ok: false, problem: buildNoReply(connection, error, operation, request) };
  }
}

async function fetchWhole(
  connection: Connection,
  operation: AnyOperation,
  request: LooseRequest,
): Promise<WholeReply> {
  if (operation.method === "GET") {
    const url = buildRequestUrl(connection.url, operation, request);
    return getReply(url, buildHeaders(connection, request), request.signal);
  }
  const response = await dispatch(connection, operation, request);
  return { status: response.status, headers: response.headers, text: await readText(response) };
}

function findPathProblem(operation: AnyOperation, request: LooseRequest): Problem | null {
  const fields = findPathFaults(operation, request);
  const faulty = Object.keys(fields);
  return faulty.length > 0
    ? createProblem("invalid", `${faulty.join(", ")} must be an id.`, { fields })
    : null;
}

function limitTime({ signal, timeoutMs = TIMEOUT_MS }: LooseRequest): AbortSignal | undefined {
  if (timeoutMs === null) return signal;
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

/**
 * Sends one request whose reply is not JSON, and returns its success as soon as the head arrives. Never throws.
 * `mediaType` is the type that the body must have; null for any. A refused range (416) counts as a success, since its
 * headers say which ranges there are.
 */
export async function openReply(
  connection: Connection,
  operation: AnyOperation,
  request: LooseRequest,
  mediaType: string | null,
): Promise<GatewayReply<Response>> {
  const fault = findPathProblem(operation, request);
  if (fault) return { ok: false, problem: fault };
  try {
    const response = await dispatch(connection, operation, request);
    if (!response.ok && response.status !== RANGE_NOT_SATISFIABLE) {
      const refusal = await readReply(response).catch(() => undefined);
      return { ok: false, problem: buildRefusal(response, refusal, operation, request) };
    }
    const requestId = response.headers.get("x-request-id");
    if (mediaType === null || hasMediaType(response, mediaType))
      return { ok: true, data: response, requestId };
    await response.body?.cancel();
    const message = `This gateway doesn't answer ${operation.method} ${buildRequestPath(operation, request)} as ${mediaType}.`;
    return { ok: false, problem: createProblem("failed", message, { requestId }) };
  } catch (error) {
    return { ok: false, problem: buildUnreachable(connection, error) };
  }
}

/** Whether a reply declares this media type, with or without parameters such as its charset. */
export function hasMediaType({ headers }: Pick<Response, "headers">, mediaType: string): boolean {
  return headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() === mediaType;
}

/**
 * Sends one request and returns the reply as soon as its head arrives.
 * @throws `fetch`'s errors: no connection, or the request's own signal.
 */
export function dispatch(
  connection: Connection,
  operation: AnyOperation,
  request: LooseRequest,
): Promise<Response> {
  const { body, type } = encodeBody(request);
  return fetch(buildRequestUrl(connection.url, operation, request), {
    method: operation.method,
    headers: buildHeaders(connection, request, type),
    ...(body !== undefined && { body, duplex: "half" }),
    ...(request.signal ? { signal: request.signal } : {}),
    cache: "no-store",
    // A redirect would send the token to an address that isn't configured.
    redirect: "manual",
  } as RequestInit);
}

function buildHeaders(connection: Connection, request: LooseRequest, type?: string): Record<string, string> {
  return {
    accept: "application/json, text/event-stream",
    ...(type !== undefined && { "content-type": type }),
    ...connection.headers,
    ...request.headers,
    ...(connection.token === null ? {} : { authorization: `Bearer ${connection.token}` }),
  };
}

function encodeBody({ raw, body }: LooseRequest): { body?: RawRequestBody | string; type?: string } {
  if (raw) return raw;
  return body === undefined ? {} : { body: JSON.stringify(body), type: "application/json" };
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
      : `The gateway accepted the request, but the console can’t read its reply${where ? ` (at ${where})` : ""}. Check that both have the same version.`;
  return { ok: false, problem: createProblem("failed", message, { requestId }) };
}
