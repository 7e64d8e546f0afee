import type * as z from "zod/mini";
import type { Operation, PathParameters } from "@/lib/contract/operation";
import { type GatewayReply, type Problem, plainProblem } from "./problem";
import { readProblem } from "./read-problem";
import { ReplyTooLarge, readReply } from "./read-reply";

const TIMEOUT_MS = 15_000;
const PARAMETER = /\{([a-z_]+)\}/g;

/** A gateway and the token for requests to it. */
export interface Connection {
  /** The gateway's address without `/v1` and without a trailing slash. */
  readonly url: string;
  readonly token: string | null;
  /** Headers that tell the gateway about the browser. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is of the console's own version, so that its replies are of the agreed shape. */
  readonly isOwn?: boolean;
}

type AnyOperation = Operation<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, string>;

/** The parts of a request that follow from its operation, and the common optional ones. */
export type GatewayRequest<Op> =
  Op extends Operation<infer Body, infer Query, infer _Reply, infer Path>
    ? ([PathParameters<Path>] extends [never]
        ? { readonly params?: never }
        : { readonly params: Readonly<Record<PathParameters<Path>, string>> }) &
        ([z.input<Body>] extends [undefined]
          ? { readonly body?: never }
          : { readonly body: z.input<Body> }) & {
          readonly query?: [z.input<Query>] extends [undefined] ? never : z.input<Query>;
          readonly headers?: Readonly<Record<string, string>>;
          readonly signal?: AbortSignal;
        }
    : never;

export type OperationReply<Op> =
  Op extends Operation<infer _Body, infer _Query, infer Reply, infer _Path> ? z.output<Reply> : never;

/** A request without static types. */
export interface LooseRequest {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

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
  const fields = findPathFaults(operation, request);
  const faulty = Object.keys(fields);
  if (faulty.length > 0) {
    return { ok: false, problem: plainProblem("invalid", `${faulty.join(", ")} must be an id.`, { fields }) };
  }
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    const response = await dispatch(connection, operation, { ...request, signal });
    const body = await readReply(response);
    if (!response.ok) return { ok: false, problem: describeRefusal(response, body, operation, request) };
    const requestId = response.headers.get("x-request-id");
    // Checking a thousand rows takes longer than reading them.
    if (connection.isOwn && body !== undefined) return { ok: true, data: body as Data, requestId };
    return parseReply<Data>(operation, body, requestId);
  } catch (error) {
    return { ok: false, problem: describeNoReply(connection, error, operation, request) };
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

const STALE_DELETE =
  "Somebody else changed this after you opened the page. Look at it again before you remove it.";

/** The problem of a reply that is not a success. */
export function describeRefusal(
  response: Response,
  body: unknown,
  operation: AnyOperation,
  request: LooseRequest,
): Problem {
  if (response.status >= 300 && response.status < 400) {
    return plainProblem(
      "failed",
      `The gateway answered with a redirect to ${response.headers.get("location") ?? "elsewhere"}, which is not followed. Set GATEWAY_URL to the final address.`,
    );
  }
  const problem = readProblem({
    status: response.status,
    headers: response.headers,
    body,
    endpoint: `${operation.method} ${buildRequestPath(operation, request)}`,
    operationId: operation.id,
  });
  if (problem.code !== "stale") return problem;
  if (operation.effect === "deletes") return { ...problem, message: STALE_DELETE, current: null };
  const current = operation.reply.safeParse(problem.current);
  return { ...problem, current: current.success ? current.data : null };
}

/** The problem of a request that got no reply. Says what to do if a change may have been made all the same. */
export function describeNoReply(
  connection: Connection,
  error: unknown,
  { effect }: Pick<AnyOperation, "effect">,
  { headers }: Pick<LooseRequest, "headers">,
): Problem {
  if (error instanceof ReplyTooLarge) return plainProblem("failed", error.message);
  const problem = unreachable(connection, error);
  if (!effect || !isLate(error)) return problem;
  const advice = headers?.["idempotency-key"]
    ? "Send this again: it is saved only once."
    : "Reload the page to see it before you try again.";
  return { ...problem, message: `${problem.message} It may have been saved. ${advice}` };
}

const isLate = (error: unknown) => error instanceof Error && error.name === "TimeoutError";

/** No gateway answered in time. */
export function unreachable(connection: Connection, error: unknown): Problem {
  return plainProblem(
    "unreachable",
    isLate(error)
      ? `The gateway at ${connection.url} did not answer within ${TIMEOUT_MS / 1000} seconds.`
      : `No gateway answers at ${connection.url}.`,
  );
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
  return { ok: false, problem: plainProblem("failed", message, { requestId }) };
}

export function buildRequestUrl(url: string, operation: AnyOperation, request: LooseRequest): string {
  // The specification writes /organization paths without `/v1`. Every gateway accepts that form.
  const base = operation.surface === "v1" ? `${url}/v1` : url;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
  }
  const search = query.size > 0 ? `?${query}` : "";
  return `${base}${buildRequestPath(operation, request)}${search}`;
}

/**
 * Returns faults for path parameters that are empty, `.` or `..` (also percent-encoded), since they would change the
 * path.
 */
function findPathFaults(operation: AnyOperation, request: LooseRequest): Record<string, string> {
  const names = [...operation.path.matchAll(PARAMETER)].map(([, name = ""]) => name);
  const faulty = names.filter((name) => ["", ".", ".."].includes(request.params?.[name] ?? ""));
  return Object.fromEntries(faulty.map((name) => [name, "must be an id"]));
}

function buildRequestPath(operation: AnyOperation, request: LooseRequest): string {
  const path = operation.path.replace(PARAMETER, (_, name: string) =>
    encodeURIComponent(request.params?.[name] ?? ""),
  );
  // Section 4.4 writes only this path with a trailing slash, and a strict gateway accepts no other form.
  return operation.id === "createRole" ? `${path}/` : path;
}
