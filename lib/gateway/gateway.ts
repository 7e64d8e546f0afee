import { newId } from "@/lib/contract/ids";
import type { Operation } from "@/lib/contract/operation";
import { explainUnservedPath } from "@/lib/contract/unserved-paths";
import { authenticate, describeTokenHint } from "./access/authenticate";
import {
  type AccessRequirement,
  authorizeAgain,
  checkAccess,
  checkAccessAmongMany,
  noteRefusal,
} from "./access/authorize";
import type { Caller } from "./access/caller";
import { buildChangeRequest } from "./access/change-request";
import { type BodyReader, joinPieces } from "./http/body-reader";
import { parseJsonObject } from "./http/json";
import { parseWith } from "./http/parse-with";
import {
  answerRefusal,
  findDialect,
  internalError,
  respondWithJson,
  StreamedResponse,
} from "./http/response";
import { type FindClientAddress, type FindPeer, RequestContext } from "./http/server";
import { Refusal, storeUnavailable, unauthenticated } from "./refusal";
import type { RequestHeaders } from "./request-headers";
import { answerFileSchema } from "./routes/configuration/configuration";
import {
  answerDirectory,
  answerDirectoryRefusal,
  type DirectoryRouteContext,
} from "./routes/directory/answer-directory";
import type { AnyInput, RawHandlers } from "./routes/handler";
import {
  createPerformOperation,
  type PerformContext,
  type PerformOperation,
} from "./routes/perform-operation";
import { createReferenceAnswers } from "./routes/reference/answer-reference";
import {
  createRouteTable,
  isDirectoryPath,
  listAliases,
  type Match,
  type RouteTable,
} from "./routes/route-table";

interface GatewayContext extends DirectoryRouteContext, PerformContext {
  readonly rawHandlers: RawHandlers;
  readonly bodyReader: BodyReader;
  /** Resolves when every store answers; rejects otherwise. */
  readonly ready: () => Promise<void>;
  /** Whether it was asked to stop: it still answers, but calls are better sent elsewhere. */
  readonly stopping: { readonly isSo: boolean };
  /** Reads what other gateways have changed; null where there are none. */
  readonly catchUp: (() => Promise<void>) | null;
  /** Null if metrics are off: then there is no path `/metrics`. */
  readonly exposition: Exposition | null;
  /** The client's address: the peer's own, or the one that a trusted proxy reports. */
  readonly findAddress: FindClientAddress;
}

/** The metrics, and the token that permits reading them. */
export interface Exposition {
  /** Returns true if a request with these headers has the token. */
  isOpenedBy(headers: RequestHeaders): boolean;
  scrape(): Promise<Response>;
}

/**
 * The permission for `GET /metrics` without the token. Metrics cover all projects, so a role in a project isn't enough.
 */
const metricsRequirement: AccessRequirement = {
  id: "retrieveMetrics",
  method: "GET",
  path: "/metrics",
  permission: "api.metrics.read",
  scope: "organization",
};

/** The whole gateway as a function from request to response; it needs no port. */
export function createGateway(
  context: GatewayContext,
): (request: Request, findPeer?: FindPeer) => Promise<Response> {
  const routes = createRouteTable();
  const perform = createPerformOperation(context);
  const { exposition } = context;
  const fixedPaths: Record<string, (requestContext: RequestContext) => Promise<Response>> = {
    "/healthz": async () => respondWithJson({ status: "ok" }),
    "/readyz": () => answerReadiness(context),
    ...createReferenceAnswers(),
    "/schemas/gatehouse.json": answerFileSchema,
    ...(exposition && { "/metrics": (requestContext) => answerMetrics(context, exposition, requestContext) }),
  };
  const answerFixedPath = async (requestContext: RequestContext, path: string) => {
    const { request, requestId } = requestContext;
    const answerPath = request.method === "GET" ? fixedPaths[path] : undefined;
    if (answerPath) return withRequestId(await answerPath(requestContext), requestId);
    throw noSuchPath(request.method, path, routes);
  };
  const refuse = ({ request, requestId }: RequestContext, path: string, error: unknown) => {
    const refusal = error instanceof Refusal ? error : internalError(requestId);
    // Whoever is refused because the store is away learns no more than that; the log says why it is.
    if (refusal !== error) context.logFault(requestId, error);
    else if (refusal.code === "store_unavailable" && refusal.cause)
      context.logFault(requestId, refusal.cause);
    if (isDirectoryPath(path)) return answerDirectoryRefusal(refusal, requestId);
    const pathDialect = isOfPath(refusal) ? explainPath(path)?.dialect : null;
    const dialect = pathDialect ?? findDialect(request.headers, path);
    return answerRefusal(describeForCaller(context, request, refusal), requestId, dialect);
  };
  /** Once the gateway stops, its clients open no further requests on their connections. */
  const closing = (reply: Response) => {
    if (context.stopping.isSo) reply.headers.set("connection", "close");
    return reply;
  };
  return async (request, findPeer = () => null) => {
    const { clock, random } = context.runtime;
    const path = parsePath(request.url);
    const requestContext = new RequestContext(
      request,
      newId("req", clock.nowMs(), random),
      findPeer,
      context.findAddress,
    );
    let authorized: AuthorizedMatch | null = null;
    try {
      if (isDirectoryPath(path)) return closing(await answerDirectory(context, requestContext, path));
      const match = routes.find(request.method, path);
      if (!match) return closing(await answerFixedPath(requestContext, path));
      requestContext.pathModel = match.model ?? null;
      const entering = checkAccessAmongMany(context, requestContext, match);
      authorized = { ...match, caller: entering instanceof Promise ? await entering : entering };
      return closing(unbuffered(await answer(context, perform, requestContext, authorized)));
    } catch (error) {
      if (authorized) noteRefusal(context, requestContext, authorized, error);
      return closing(refuse(requestContext, path, error));
    }
  };
}

/**
 * Returns the refusal with the details that its caller may see. Authenticates again, since only a few refusals have
 * such details.
 */
function describeForCaller(context: GatewayContext, { headers }: Request, refusal: Refusal): Refusal {
  if (refusal.code === "invalid_api_key") return unauthenticated(describeTokenHint(headers));
  const caller = refusal.details.fuller && authenticate(context, headers);
  return caller ? refusal.asSeenBy(caller.permissionsIn) : refusal;
}

function answer(
  context: GatewayContext,
  perform: PerformOperation,
  requestContext: RequestContext,
  authorized: AuthorizedMatch,
): Promise<Response> {
  const { operation, params, caller } = authorized;
  const answerRaw = context.rawHandlers[operation.id as keyof RawHandlers];
  if (answerRaw) return answerRaw(requestContext, caller as Caller, params);
  return answerOperation(context, perform, requestContext, authorized);
}

/** A matched operation with its caller. */
type AuthorizedMatch = Match & { readonly caller: Caller | null };

async function answerOperation(
  context: GatewayContext,
  perform: PerformOperation,
  requestContext: RequestContext,
  { operation, params, caller: sender }: AuthorizedMatch,
): Promise<Response> {
  const { request, requestId } = requestContext;
  const address = requestContext.address();
  const query = operation.query ? parseWith(operation.query, parseQuery(request.url, operation)) : undefined;
  const headers: RequestHeaders = request.headers;
  const body = operation.body ? await parseBody(context, operation, requestContext) : undefined;
  // A body may have taken minutes to arrive.
  const caller = operation.body ? authorizeAgain(context, headers, operation, params) : sender;
  const change = buildChangeRequest(context, operation, { requestId, caller, headers, address, params });
  const { signal } = request;
  const input = { params, query, body, caller, request: change, headers, address, signal } as AnyInput;
  const incoming = { operation, input, requestId, clientSignal: signal };
  return perform(incoming);
}

async function parseBody(
  { bodyReader }: GatewayContext,
  { body, bodyBounds }: Operation,
  requestContext: RequestContext,
): Promise<unknown> {
  const pieces = await bodyReader.read(requestContext, bodyBounds.bytes);
  const { value } = parseJsonObject(joinPieces(pieces), bodyBounds);
  return body && parseWith(body, value);
}

async function answerMetrics(
  context: GatewayContext,
  exposition: Exposition,
  requestContext: RequestContext,
): Promise<Response> {
  if (!exposition.isOpenedBy(requestContext.request.headers)) {
    checkAccess(context, requestContext, { operation: metricsRequirement, params: {} });
  }
  return exposition.scrape();
}

async function answerReadiness(context: GatewayContext): Promise<Response> {
  if (context.stopping.isSo) return respondWithJson({ status: "stopping" }, { status: 503 });
  try {
    await context.ready();
  } catch {
    throw storeUnavailable();
  }
  return respondWithJson({ status: "ok" });
}

const isOfPath = ({ code }: Refusal) => code === "path_not_found" || code === "method_not_allowed";

/** What a path without an operation is to clients of other APIs, with or without a prefix. */
const explainPath = (path: string) => explainUnservedPath(listAliases(path)[0]?.path ?? path);

function noSuchPath(method: string, path: string, routes: RouteTable): Refusal {
  const allowed = routes.allowedMethods(path);
  const unserved = explainPath(path);
  // Google's calls have the path of one of our models.
  if (unserved?.dialect || (unserved && allowed.length === 0)) {
    const message = `${path.slice(0, 500)} ${unserved.description}`;
    return new Refusal(404, "not_found_error", "path_not_found", message);
  }
  if (allowed.length === 0) {
    const similar = routes.nearestPath(path);
    const hint = similar === null ? "" : ` Did you mean ${similar}?`;
    const message = `There is nothing at ${path.slice(0, 500)}.${hint} Paths are listed at /docs and in /openapi.json.`;
    return new Refusal(404, "not_found_error", "path_not_found", message);
  }
  const allow = allowed.join(", ");
  const message = `${path} does not answer ${method}; use ${allow}.`;
  return new Refusal(405, "invalid_request_error", "method_not_allowed", message, { headers: { allow } });
}

/** Tells proxies before the gateway, such as nginx, to pass on at once what is sent as it is made. */
function unbuffered(response: Response): Response {
  if (response instanceof StreamedResponse) response.headers.set("x-accel-buffering", "no");
  return response;
}

function withRequestId(response: Response, requestId: string): Response {
  response.headers.set("x-request-id", requestId);
  return response;
}

/** The path of a URL, still encoded. Cheaper than parsing it. Without a valid host the URL is the path alone. */
function parsePath(url: string): string {
  const start = url.startsWith("http") ? url.indexOf("/", url.indexOf("//") + 2) : 0;
  const end = url.indexOf("?", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

/** What clients of Azure and of Anthropic's betas add to each path of theirs. It changes nothing here. */
const CLIENT_PARAMETERS = ["api-version", "beta"];

/** Parses query parameters. `name[]=…` adds to the list `name`; for any other name, the last value applies. */
function parseQuery(url: string, { surface }: Operation): Record<string, string | string[]> {
  const start = url.indexOf("?");
  if (start < 0) return {};
  const query = new Map<string, string | string[]>();
  const values = new URLSearchParams(url.slice(start + 1));
  for (const [name, value] of values) {
    if (name.endsWith("[]")) query.set(name.slice(0, -2), values.getAll(name));
    else query.set(name, value);
  }
  if (surface === "v1") for (const name of CLIENT_PARAMETERS) query.delete(name);
  return Object.fromEntries(query);
}
